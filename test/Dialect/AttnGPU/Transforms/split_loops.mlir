// RUN: attn-opt %s --attn-gpu-split-loops --canonicalize | FileCheck %s

// One bound: two loops, in which the comparison is decided.

// CHECK-LABEL: attn_gpu.kernel @one(
// CHECK-SAME:    %[[TO:[^:]*]]: memref<?x1xf32>, %[[N:[^:]*]]: index, %[[K:[^:]*]]: index)
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[ONES:.*]] = arith.constant dense<1.0{{.*}}> : vector<64x1xf32>
// CHECK-DAG:   %[[ZEROS:.*]] = arith.constant dense<0.0{{.*}}> : vector<64x1xf32>
// CHECK:       attn_gpu.work_loop
// The bound may be below the first step or above the last.
// CHECK:         %[[LOW:.*]] = arith.minsi %[[K]], %[[N]]
// CHECK:         %[[MIDDLE:.*]] = arith.maxsi %[[LOW]], %[[C0]]
// CHECK:         %[[FIRST:.*]] = scf.for %{{.*}} = %[[C0]] to %[[MIDDLE]] step %{{.*}} iter_args(%[[X:.*]] = %[[ZEROS]])
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[X]], %[[ONES]]
// CHECK-NEXT:      scf.yield %[[SUM]]
// CHECK:         %[[SECOND:.*]] = scf.for %{{.*}} = %[[MIDDLE]] to %[[N]] step %{{.*}} iter_args(%[[Y:.*]] = %[[FIRST]])
// CHECK-NEXT:      %[[PRODUCT:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK-NEXT:      scf.yield %[[PRODUCT]]
// CHECK:         attn_gpu.write %[[SECOND]]
attn_gpu.kernel @one(%to: memref<?x1xf32>, %n: index, %k: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %one = arith.constant dense<1.0> : vector<64x1xf32>
  attn_gpu.work_loop (%i) in (%n) {
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero) -> (vector<64x1xf32>) {
      %before = arith.cmpi slt, %j, %k : index
      %after = arith.cmpi sge, %j, %k : index
      %y = scf.if %before -> (vector<64x1xf32>) {
        %a = arith.addf %x, %one : vector<64x1xf32>
        scf.yield %a : vector<64x1xf32>
      } else {
        scf.yield %x : vector<64x1xf32>
      }
      %z = scf.if %after -> (vector<64x1xf32>) {
        %b = arith.mulf %y, %y : vector<64x1xf32>
        scf.yield %b : vector<64x1xf32>
      } else {
        scf.yield %y : vector<64x1xf32>
      }
      scf.yield %z : vector<64x1xf32>
    }
    attn_gpu.write %last to %to[%i, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}

// Two bounds, the second made of the first: three loops, not four. What the lower
// bound decides is not asked again, whichever comparison stands first.

// CHECK-LABEL: attn_gpu.kernel @two(
// CHECK:         %[[A:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}})
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      scf.yield
// CHECK:         %[[B:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %[[A]])
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      scf.yield
// CHECK:         %[[C:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %[[B]])
// CHECK-NEXT:      arith.subf
// CHECK-NEXT:      scf.yield
// CHECK-NOT:     scf.for
// CHECK:         attn_gpu.write %[[C]]
attn_gpu.kernel @two(%to: memref<?x1xf32>, %n: index, %k: index, %l: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %one = arith.constant dense<1.0> : vector<64x1xf32>
  attn_gpu.work_loop (%i) in (%n) {
    %e1 = arith.maxsi %k, %c0 : index
    %e2 = arith.addi %e1, %l : index
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%x = %zero) -> (vector<64x1xf32>) {
      %second = arith.cmpi slt, %j, %e2 : index
      %first = arith.cmpi slt, %j, %e1 : index
      %a = arith.addf %x, %one : vector<64x1xf32>
      %b = arith.mulf %x, %x : vector<64x1xf32>
      %c = arith.subf %x, %one : vector<64x1xf32>
      %bc = arith.select %second, %b, %c : vector<64x1xf32>
      %abc = arith.select %first, %a, %bc : vector<64x1xf32>
      scf.yield %abc : vector<64x1xf32>
    }
    attn_gpu.write %last to %to[%i, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}

// Left alone: steps that may jump over the bound, a bound that the loop makes, a
// comparison of another kind.

// CHECK-LABEL: attn_gpu.kernel @alone(
// CHECK:         scf.for
// CHECK:           arith.cmpi slt
// CHECK:         scf.for
// CHECK:           arith.cmpi slt
// CHECK:         scf.for
// CHECK:           arith.cmpi eq
// CHECK-NOT:     scf.for
attn_gpu.kernel @alone(%to: memref<?x1xf32>, %n: index, %k: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %one = arith.constant dense<1.0> : vector<64x1xf32>
  attn_gpu.work_loop (%i) in (%n) {
    %a = scf.for %j = %c0 to %n step %c2 iter_args(%x = %zero) -> (vector<64x1xf32>) {
      %before = arith.cmpi slt, %j, %k : index
      %y = arith.select %before, %one, %x : vector<64x1xf32>
      scf.yield %y : vector<64x1xf32>
    }
    %b = scf.for %j = %c0 to %n step %c1 iter_args(%x = %a) -> (vector<64x1xf32>) {
      %half = arith.muli %j, %j : index
      %before = arith.cmpi slt, %j, %half : index
      %y = arith.select %before, %one, %x : vector<64x1xf32>
      scf.yield %y : vector<64x1xf32>
    }
    %c = scf.for %j = %c0 to %n step %c1 iter_args(%x = %b) -> (vector<64x1xf32>) {
      %at = arith.cmpi eq, %j, %k : index
      %y = arith.select %at, %one, %x : vector<64x1xf32>
      scf.yield %y : vector<64x1xf32>
    }
    attn_gpu.write %c to %to[%i, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}
