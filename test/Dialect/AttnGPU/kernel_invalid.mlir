// RUN: attn-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected no results, got 1}}
attn_gpu.kernel @c1_results() -> f32 warpgroups 1 {
  attn_gpu.return
}

// -----

// expected-error @+1 {{expected its body to end in 'attn_gpu.return'}}
attn_gpu.kernel @c1_no_return() warpgroups 1 {
  %c0 = arith.constant 0 : index
}

// -----

// expected-error @+1 {{expected its body to end in 'attn_gpu.return'}}
attn_gpu.kernel @c1_empty() warpgroups 1 {
^entry:
}

// -----

// expected-error @+1 {{region with 1 blocks}}
attn_gpu.kernel @c1_blocks() warpgroups 1 {
  attn_gpu.return
^more:
  attn_gpu.return
}

// -----

// Each argument that does not fit, at once.

// expected-error @+3 {{argument 0: expected unit stride in the last dimension, got 'memref<?x64xbf16, strided<[64, 2]>>'}}
// expected-error @+2 {{argument 1: expected a memref, an index, an integer or f32, got 'f64'}}
// expected-error @+1 {{argument 2: expected a memref, an index, an integer or f32, got 'tensor<4xf32>'}}
attn_gpu.kernel @c2(%a: memref<?x64xbf16, strided<[64, 2]>>, %b: f64, %c: tensor<4xf32>) warpgroups 1 {
  attn_gpu.return
}

// -----

// expected-error @+1 {{expected 1 to 8 warpgroups, got 0}}
attn_gpu.kernel @c3_none() warpgroups 0 {
  attn_gpu.return
}

// -----

// expected-error @+1 {{expected 1 to 8 warpgroups, got 9}}
attn_gpu.kernel @c3_many() warpgroups 9 {
  attn_gpu.return
}

// -----

func.func @return_outside() {
  // expected-error @+1 {{expects parent op 'attn_gpu.kernel'}}
  attn_gpu.return
}

// -----

// A negative number reads as it was written.

// expected-error @+1 {{expected 1 to 8 warpgroups, got -1}}
attn_gpu.kernel @c3_negative() warpgroups -1 {
  attn_gpu.return
}

// -----

// expected-error @+2 {{expected 'attn_gpu.schedule' to have stages and a cluster from 1 to 8, work that is once, strided or dynamic, and turns, flatten, lazy_rescale, queries_in_registers and early_weights, true or false; got "stages" = 9 : i64}}
// expected-error @+1 {{got "work" = "static"}}
attn_gpu.kernel @c4_values() warpgroups 1 attributes {attn_gpu.schedule = {stages = 9, turns = true, work = "static"}} {
  attn_gpu.return
}

// -----

// expected-error @+1 {{got "flatten" = 1 : i64}}
attn_gpu.kernel @c4_flatten() warpgroups 1 attributes {attn_gpu.schedule = {flatten = 1}} {
  attn_gpu.return
}

// -----

// expected-error @+1 {{got "stags" = 2 : i64}}
attn_gpu.kernel @c4_name() warpgroups 1 attributes {attn_gpu.schedule = {stags = 2}} {
  attn_gpu.return
}

// -----

// expected-error @+1 {{expected 'attn_gpu.origin' to be a dictionary, got 3 : i64}}
attn_gpu.kernel @c4_origin() warpgroups 1 attributes {attn_gpu.origin = 3} {
  attn_gpu.return
}

// -----

// expected-error @+1 {{got "cluster" = 9 : i64}}
attn_gpu.kernel @c4_cluster() warpgroups 1 attributes {attn_gpu.schedule = {cluster = 9 : i64}} {
  attn_gpu.return
}

// -----

// expected-error @+1 {{'cluster' expected 1 to 8 thread blocks, got 0}}
attn_gpu.kernel @c5_none() warpgroups 1 cluster 0 {
  attn_gpu.return
}

// -----

// expected-error @+1 {{'cluster' expected 1 to 8 thread blocks, got 9}}
attn_gpu.kernel @c5_many() warpgroups 1 cluster 9 {
  attn_gpu.return
}

// -----

// All work loops at once.
attn_gpu.kernel @c5_work(%n: index) warpgroups 1 cluster 2 {
  // expected-error @+1 {{expected schedule strided in a kernel with clusters, got once}}
  attn_gpu.work_loop (%i) in (%n) {
  }
  attn_gpu.work_loop (%i) in (%n) schedule strided {
  }
  // expected-error @+1 {{expected schedule strided in a kernel with clusters, got dynamic}}
  attn_gpu.work_loop (%i) in (%n) schedule dynamic {
  }
  attn_gpu.return
}
