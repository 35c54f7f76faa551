// RUN: attn-opt %s --split-input-file --verify-diagnostics

attn_gpu.kernel @c1_fewer(%n: index) warpgroups 1 {
  // expected-error @+1 {{expected 2 induction variables of type index}}
  attn_gpu.work_loop (%i) in (%n, %n) {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c1_type(%n: index) warpgroups 1 {
  // expected-error @+1 {{expected 1 induction variables of type index}}
  "attn_gpu.work_loop"(%n) <{descending = array<i64>, operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^body(%i: i32):
    "attn_gpu.yield"() : () -> ()
  }) : (index) -> ()
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_range(%n: index) warpgroups 1 {
  // expected-error @+1 {{'descending' expected dimensions from 0 to 1, each once, got 2}}
  attn_gpu.work_loop (%i, %j) in (%n, %n) descending [2] {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_negative(%n: index) warpgroups 1 {
  // expected-error @+1 {{'descending' expected dimensions from 0 to 1, each once, got -1}}
  attn_gpu.work_loop (%i, %j) in (%n, %n) descending [-1] {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_twice(%n: index) warpgroups 1 {
  // expected-error @+1 {{'descending' expected dimensions from 0 to 1, each once, got 1}}
  attn_gpu.work_loop (%i, %j) in (%n, %n) descending [1, 1] {
  }
  attn_gpu.return
}

// -----

func.func @outside(%n: index) {
  // expected-error @+1 {{expects parent op to be one of 'attn_gpu.kernel, attn_gpu.warp_specialize'}}
  attn_gpu.work_loop (%i) in (%n) {
  }
  return
}

// -----

func.func @yield_outside() {
  // expected-error @+1 {{expects parent op to be one of 'attn_gpu.warp_specialize, attn_gpu.work_loop'}}
  attn_gpu.yield
}

// -----

attn_gpu.kernel @c3_group_of_one_dimension(%n: index) warpgroups 1 {
  // expected-error @+1 {{'group' expected at least 2 dimensions, got 1}}
  attn_gpu.work_loop (%i) in (%n) group %n {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c4_yield(%n: index) warpgroups 1 {
  // expected-error @+1 {{have different type}}
  %r = attn_gpu.work_loop (%i) in (%n) iter_args(%k = %n) -> (index) {
    %f = arith.constant 1.0 : f32
    attn_gpu.yield %f : f32
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c4_yields_nothing(%n: index) warpgroups 1 {
  // expected-error @+1 {{carries 1 values, but yields 0}}
  %r = attn_gpu.work_loop (%i) in (%n) iter_args(%k = %n) -> (index) {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @schedule(%n: index) warpgroups 1 {
  // expected-error @+1 {{expected 'once', 'strided' or 'dynamic', got 'static'}}
  attn_gpu.work_loop (%i) in (%n) schedule static {
  }
  attn_gpu.return
}
