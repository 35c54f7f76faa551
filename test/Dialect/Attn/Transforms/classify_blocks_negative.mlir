// RUN: attn-opt %s --attn-classify-blocks --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-classify-blocks --split-input-file \
// RUN:   --remarks-filter=attn-classify-blocks -o %t 2>&1 \
// RUN: | FileCheck %s --check-prefix=REMARK

// Walks that are left alone.

// REMARK: remark: [Missed] segments | Category:attn-classify-blocks | Remark="not classified: the segments are not one of all tiles"
// CHECK-LABEL: @list
// CHECK: segments [#attn.segment<list, partial>] bounds(%{{.*}}, %{{.*}}) lists
func.func @list(%n: index, %l: tensor<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  %r = attn.walk %n by 64 segments [#attn.segment<list, partial>]
      bounds (%c0, %n) lists (%l : tensor<?xi32>) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: index):
    attn.yield %s : index
  }
  return %r : index
}

// -----

// REMARK: remark: [Missed] segments | {{.*}}"not classified: the segments are not one of all tiles"
// CHECK-LABEL: @classified
// CHECK: segments [#attn.segment<range, full>, #attn.segment<range, partial>]
func.func @classified(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %end = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%n]
  %r = attn.walk %n by 64
      segments [#attn.segment<range, full>, #attn.segment<range, partial>]
      bounds (%c0, %m, %m, %end) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: index):
    attn.yield %s : index
  }
  return %r : index
}

// -----

// Some of the tiles, which may be somebody's choice.
// REMARK: remark: [Missed] segments | {{.*}}"not classified: the segments are not one of all tiles"
// CHECK-LABEL: @some_tiles
// CHECK: segments [#attn.segment<range, partial>] bounds(%{{.*}}, %arg1)
func.func @some_tiles(%n: index, %m: index) -> index {
  %c0 = arith.constant 0 : index
  %r = attn.walk %n by 64 segments [#attn.segment<range, partial>]
      bounds (%c0, %m) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: index):
    attn.yield %s : index
  }
  return %r : index
}

// -----

// The order was chosen already.
// REMARK: remark: [Missed] segments | {{.*}}"not classified: the segments are not one of all tiles"
// CHECK-LABEL: @descending
// CHECK: segments [#attn.segment<range, partial, descending>]
func.func @descending() -> index {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %c2 = arith.constant 2 : index
  %r = attn.walk %c100 by 64 segments [#attn.segment<range, partial, descending>]
      bounds (%c0, %c2) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: index):
    attn.yield %s : index
  }
  return %r : index
}

// -----

// REMARK: remark: [Missed] segments | {{.*}}"not classified: the body does not hold one attn.partial"
// CHECK-LABEL: @no_partial
// CHECK: segments [#attn.segment<range, partial>]
func.func @no_partial(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %end = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%n]
  %r = attn.walk %n by 64 segments [#attn.segment<range, partial>]
      bounds (%c0, %end) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %s: index):
    attn.yield %s : index
  }
  return %r : index
}
