// RUN: attn-opt %s -attn-cpu-vectorize=vector-bits=256 -canonicalize -cse | FileCheck %s
// RUN: attn-opt %s -attn-cpu-vectorize=vector-bits=512 -canonicalize -cse | FileCheck %s --check-prefix=WIDE

// Keys are read as scalars and broadcast; a block of the result stays in
// registers through a chunk of the reduction, 12 of 24 steps, and is then added
// to the result.

// CHECK-LABEL: func @contraction(
// CHECK-SAME: %[[K:[^:]*]]: memref<64x24xf32, strided<[?, 1], offset: ?>>, %[[Q:[^:]*]]: memref<24x64xf32>, %[[S:[^:]*]]: memref<64x64xf32>
// WIDE-LABEL: func @contraction(
func.func @contraction(%k: memref<64x24xf32, strided<[?, 1], offset: ?>>, %q: memref<24x64xf32>, %s: memref<64x64xf32>) {
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %c64
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %c64
  // CHECK: scf.for %[[C:.*]] = %c0 to %c24 step %c12
  // CHECK-NEXT: %[[END:.*]] = arith.addi %[[C]], %c12
  // CHECK-NEXT: scf.for %[[D:.*]] = %[[C]] to %[[END]] step %c1 iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
  // CHECK-NOT: vector.load %[[K]]
  // CHECK: %[[X:.*]] = memref.load %[[K]][%[[J]], %[[D]]]
  // CHECK: %[[V:.*]] = vector.load %[[Q]][%[[D]], %[[I]]]
  // CHECK: %[[B:.*]] = vector.broadcast %[[X]] : f32 to vector<8xf32>
  // CHECK: math.fma %[[B]], %[[V]], %{{.*}} : vector<8xf32>
  // CHECK-NOT: vector.store
  // CHECK: scf.yield
  // CHECK-COUNT-8: vector.load %[[S]]
  // CHECK: arith.addf
  // CHECK-COUNT-8: vector.store {{.*}}, %[[S]]
  // WIDE-COUNT-16: math.fma {{.*}} : vector<16xf32>
  // WIDE-COUNT-16: vector.load %{{.*}} : memref<64x64xf32>, vector<16xf32>
  // WIDE-COUNT-16: vector.store
  linalg.generic {indexing_maps = [affine_map<(j, i, d) -> (j, d)>, affine_map<(j, i, d) -> (d, i)>, affine_map<(j, i, d) -> (j, i)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%k, %q : memref<64x24xf32, strided<[?, 1], offset: ?>>, memref<24x64xf32>) outs(%s : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %a = arith.addf %z, %p : f32
    linalg.yield %a : f32
  }
  return
}

// What depends on the key alone stays scalar; the comparison is on vectors.
// CHECK-LABEL: func @mask(
func.func @mask(%s: memref<8x8xf32>, %r0: index, %p0: index) {
  %low = arith.constant 0xFF800000 : f32
  // CHECK: scf.for %[[J:.*]] =
  // CHECK: %[[R:.*]] = arith.addi %{{.*}}, %[[J]] : index
  // CHECK: arith.addi {{.*}} : vector<8xindex>
  // CHECK: %[[RV:.*]] = vector.broadcast %[[R]] : index to vector<8xindex>
  // CHECK: arith.cmpi sle, %[[RV]], %{{.*}} : vector<8xindex>
  // CHECK: arith.select {{.*}} : vector<8xi1>, vector<8xf32>
  linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>], iterator_types = ["parallel", "parallel"]} outs(%s : memref<8x8xf32>) {
  ^bb0(%x: f32):
    %j = linalg.index 0 : index
    %i = linalg.index 1 : index
    %r = arith.addi %r0, %j : index
    %p = arith.addi %p0, %i : index
    %c = arith.cmpi sle, %r, %p : index
    %y = arith.select %c, %x, %low : f32
    linalg.yield %y : f32
  }
  return
}

// The factor of a row is read once per row.
// CHECK-LABEL: func @scale_rows(
// CHECK-SAME: %[[A:[^:]*]]: memref<64xf32>
func.func @scale_rows(%a: memref<64xf32>, %o: memref<64x128xf32>) {
  // CHECK: scf.for %[[I:.*]] =
  // CHECK-NEXT: memref.load %[[A]][%[[I]]]
  // CHECK: scf.for
  // CHECK-NOT: memref.load
  // CHECK: arith.mulf {{.*}} : vector<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i, e) -> (i)>, affine_map<(i, e) -> (i, e)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<64xf32>) outs(%o : memref<64x128xf32>) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.mulf %x, %y : f32
    linalg.yield %m : f32
  }
  return
}

// A dynamic number of rows is a loop bound; the rows are still vectors.
// CHECK-LABEL: func @copy(
func.func @copy(%a: memref<?x40xbf16, strided<[?, 1], offset: ?>>, %o: memref<?x40xbf16, strided<[40, 1]>>) {
  // CHECK: %[[N:.*]] = memref.dim
  // CHECK: scf.for %{{.*}} = %c0 to %[[N]]
  // CHECK: vector.load {{.*}} vector<8xbf16>
  // CHECK: vector.store
  memref.copy %a, %o : memref<?x40xbf16, strided<[?, 1], offset: ?>> to memref<?x40xbf16, strided<[40, 1]>>
  return
}

// A maximum along the only contiguous dimension: every lane has its own.
// CHECK-LABEL: func @row_maximum(
func.func @row_maximum(%a: memref<4x32xf32>, %o: memref<4xf32>) {
  // CHECK: %[[LOW:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
  // CHECK: arith.maxnumf {{.*}}, %[[LOW]] : vector<8xf32>
  // CHECK: vector.reduction <maxnumf>, {{.*}}, {{.*}} : vector<8xf32> into f32
  linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (j)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<4x32xf32>) outs(%o : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.maxnumf %x, %y : f32
    linalg.yield %m : f32
  }
  return
}

// One query: without the unit dimension both operands are contiguous along the
// reduction, and the lanes are summed last.
// CHECK-LABEL: func @one_query(
// CHECK-SAME: %[[K:[^:]*]]: memref<64x32xf32, strided<[?, 1], offset: ?>>
func.func @one_query(%k: memref<64x32xf32, strided<[?, 1], offset: ?>>, %q: memref<32x1xf32>, %s: memref<64x1xf32>) {
  // CHECK: scf.for %[[J:.*]] =
  // CHECK: vector.load %[[K]][%[[J]], %{{.*}}] {{.*}} vector<8xf32>
  // CHECK: math.fma {{.*}} : vector<8xf32>
  // CHECK: vector.reduction <add>, {{.*}} : vector<8xf32> into f32
  linalg.generic {indexing_maps = [affine_map<(j, i, d) -> (j, d)>, affine_map<(j, i, d) -> (d, i)>, affine_map<(j, i, d) -> (j, i)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%k, %q : memref<64x32xf32, strided<[?, 1], offset: ?>>, memref<32x1xf32>) outs(%s : memref<64x1xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %a = arith.addf %z, %p : f32
    linalg.yield %a : f32
  }
  return
}

// Nothing is contiguous along a common dimension: scalar loops.
// CHECK-LABEL: func @transpose(
func.func @transpose(%a: memref<8x16xf32>, %o: memref<16x8xf32>) {
  // CHECK-NOT: vector
  // CHECK: memref.load
  // CHECK: memref.store
  linalg.transpose ins(%a : memref<8x16xf32>) outs(%o : memref<16x8xf32>) permutation = [1, 0]
  return
}
