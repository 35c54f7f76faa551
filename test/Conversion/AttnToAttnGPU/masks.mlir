// Masks as conditions on vectors of positions. Those of keys alone (prefix) and
// those of rows and keys meet in one shape.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=64 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse)' | FileCheck %s

!t = tensor<?x2x?x64xbf16>

// One warpgroup has the whole query tile.
// CHECK-LABEL: attn_gpu.kernel @window_kernel(
// CHECK-SAME:    warpgroups 1 {
// CHECK-NOT:   attn_gpu.subtile
// CHECK-DAG:   %[[LEFT:.*]] = arith.constant dense<300> : vector<64x1xi32>
// CHECK-DAG:   %[[RIGHT:.*]] = arith.constant dense<20> : vector<64x1xi32>
// Three segments: the mask is looked at in the first and the last.
// CHECK:       scf.for %[[S:[a-z0-9]+]] =
// CHECK:         %[[TWO:.*]] = arith.cmpi slt, %[[S]], %[[END2:[0-9]+]] : index
// CHECK:         %[[ONE:.*]] = arith.cmpi slt, %[[S]], %[[END1:[0-9]+]] : index
// CHECK:         %[[LAST:.*]] = arith.cmpi sge, %[[S]], %[[END2]] : index
// CHECK:         %[[MASKED:.*]] = arith.select %[[ONE]], %true, %[[LAST]] : i1
// CHECK:         scf.if %[[MASKED]]
// CHECK:           arith.subi %[[P:[0-9]+]], %[[LEFT]] : vector<64x1xi32>
// CHECK:           arith.cmpi sge, %{{.*}}, %{{.*}} : vector<64x128xi32>
// CHECK:           arith.addi %[[P]], %[[RIGHT]] : vector<64x1xi32>
// CHECK:           arith.cmpi sle, %{{.*}}, %{{.*}} : vector<64x128xi32>
func.func @window(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.window<left = 300, right = 20>) : !t, !t, !t -> !t
  return %out : !t
}

// CHECK-LABEL: attn_gpu.kernel @chunked_kernel(
// CHECK:           %[[P:.*]] = arith.floordivsi %{{.*}}, %{{.*}} : vector<64x1xi32>
// CHECK:           %[[R:.*]] = arith.floordivsi %{{.*}}, %{{.*}} : vector<1x128xi32>
// CHECK:           arith.cmpi eq, %{{.*}}, %{{.*}} : vector<64x128xi32>
func.func @chunked(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.chunked<100>) : !t, !t, !t -> !t
  return %out : !t
}

// CHECK-LABEL: attn_gpu.kernel @both_kernel(
// CHECK:           %[[CAUSAL:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : vector<64x128xi32>
// CHECK:           %[[CHUNK:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : vector<64x128xi32>
// CHECK:           arith.andi %[[CAUSAL]], %[[CHUNK]] : vector<64x128xi1>
func.func @both(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.and<#attn.causal, #attn.chunked<100>>) : !t, !t, !t -> !t
  return %out : !t
}

// CHECK-LABEL: attn_gpu.kernel @either_kernel(
// CHECK:           %[[CAUSAL:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : vector<64x128xi32>
// CHECK:           %[[PREFIX:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : vector<1x128xi32>
// CHECK:           %[[WIDE:.*]] = vector.broadcast %[[PREFIX]] : vector<1x128xi1> to vector<64x128xi1>
// CHECK:           arith.ori %[[CAUSAL]], %[[WIDE]] : vector<64x128xi1>
func.func @either(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.or<#attn.causal, #attn.prefix<16>>) : !t, !t, !t -> !t
  return %out : !t
}

// A prefix beyond every position, and beyond the i32 that positions are: 2^30.
// CHECK-LABEL: attn_gpu.kernel @prefix_kernel(
// CHECK-DAG:       %[[FAR:.*]] = arith.constant dense<1073741824> : vector<1x128xi32>
// CHECK:           %[[PREFIX:.*]] = arith.cmpi slt, %{{.*}}, %[[FAR]] : vector<1x128xi32>
// CHECK:           %[[WIDE:.*]] = vector.broadcast %[[PREFIX]] : vector<1x128xi1> to vector<64x128xi1>
// CHECK:           arith.andi %[[WIDE]], %{{.*}} : vector<64x128xi1>
func.func @prefix(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.prefix<1099511627776>) : !t, !t, !t -> !t
  return %out : !t
}

// CHECK-LABEL: attn_gpu.kernel @top_left_kernel(
// CHECK:           arith.cmpi sle, %{{.*}}, %{{.*}} : vector<64x128xi32>
func.func @top_left(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.causal) alignment top_left : !t, !t, !t -> !t
  return %out : !t
}

// Two kernels of one function have names of their own.
// CHECK-LABEL: attn_gpu.kernel @two_kernel(
// CHECK-LABEL: attn_gpu.kernel @two_kernel1(
// CHECK-LABEL: func.func @two(
// CHECK:   %[[R:.*]] = attn_gpu.launch @two_kernel blocks
// CHECK:   attn_gpu.launch @two_kernel1 blocks
func.func @two(%q: !t, %k: !t, %v: !t) -> !t {
  %first = attn.attention %q, %k, %v : !t, !t, !t -> !t
  %out = attn.attention %first, %k, %v mask(#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}
