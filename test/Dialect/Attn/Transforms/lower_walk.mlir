// RUN: attn-opt %s -attn-lower-walk -canonicalize -allow-unregistered-dialect | FileCheck %s

// One loop per segment; in a full one every key is valid and nothing is masked.

// CHECK-DAG: #[[START:.*]] = affine_map<(d0) -> (d0 * 64)>
// CHECK-DAG: #[[VALID:.*]] = affine_map<(d0)[s0] -> (d0 * -64 + s0, 64)>
// CHECK-LABEL: func @ranges(
// CHECK-SAME: %[[EXTENT:.*]]: index, %[[A:.*]]: index, %[[B:.*]]: index
func.func @ranges(%extent: index, %a: index, %b: index) -> index {
  %c0 = arith.constant 0 : index
  // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK: %[[FULL:.*]] = scf.for %[[T:.*]] = %c0 to %[[A]]
  // CHECK:   %[[S:.*]] = affine.apply #[[START]](%[[T]])
  // CHECK:   "test.tile"(%[[S]], %[[C64]], %[[FALSE]],
  // CHECK: scf.for %[[U:.*]] = %[[A]] to %[[B]] step %{{.*}} iter_args(%{{.*}} = %[[FULL]])
  // CHECK:   %[[V:.*]] = affine.min #[[VALID]](%[[U]])[%[[EXTENT]]]
  // CHECK:   "test.tile"(%{{.*}}, %[[V]], %[[TRUE]],
  %r = attn.walk %extent by 64
      segments [#attn.segment<range, full>, #attn.segment<range, partial>]
      bounds (%c0, %a, %a, %b) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %state: index):
    %n = "test.tile"(%start, %valid, %masked, %state) : (index, index, i1, index) -> index
    attn.yield %n : index
  }
  return %r : index
}

// CHECK-LABEL: func @descending(
func.func @descending(%extent: index, %a: index, %b: index) -> index {
  %c0 = arith.constant 0 : index
  // CHECK: scf.for %[[T:.*]] = %[[A:.*]] to %[[B:.*]] step
  // CHECK: affine.apply {{.*}}(%[[T]])[%[[A]], %[[B]]]
  %r = attn.walk %extent by 64 segments [#attn.segment<range, full, descending>]
      bounds (%a, %b) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %state: index):
    %n = "test.tile"(%start, %valid, %masked, %state) : (index, index, i1, index) -> index
    attn.yield %n : index
  }
  return %r : index
}

// Entries of a list that name no tile are skipped.

// CHECK-LABEL: func @list(
// CHECK-SAME: %[[EXTENT:.*]]: index, %[[LIST:.*]]: tensor<?xi32>, %[[N:.*]]: index
func.func @list(%extent: index, %list: tensor<?xi32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  // CHECK: scf.for %[[P:.*]] = %{{.*}} to %[[N]]
  // CHECK:   %[[ENTRY:.*]] = tensor.extract %[[LIST]][%[[P]]]
  // CHECK:   %[[TILE:.*]] = arith.index_cast %[[ENTRY]]
  // CHECK:   arith.cmpi sge, %[[TILE]]
  // CHECK:   arith.cmpi slt, %{{.*}}, %[[EXTENT]]
  // CHECK:   scf.if
  // CHECK:     "test.tile"
  %r = attn.walk %extent by 64 segments [#attn.segment<list, partial>]
      bounds (%c0, %n) lists (%list : tensor<?xi32>) init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %state: index):
    %s = "test.tile"(%start, %valid, %masked, %state) : (index, index, i1, index) -> index
    attn.yield %s : index
  }
  return %r : index
}
