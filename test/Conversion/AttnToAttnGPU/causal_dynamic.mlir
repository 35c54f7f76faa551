// Dynamic lengths, grouped heads, lse: sizes become arguments, the grid is computed.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: attn_gpu.kernel @causal_kernel(
// CHECK-SAME:    %[[SQ:[^:]*]]: index, %[[Q:[^:]*]]: memref<?x2x4x?x64xbf16, strided<[?, ?, ?, ?, 1]>>,
// CHECK-SAME:    %[[K:[^:]*]]: memref<?x2x?x64xbf16, strided<[?, ?, ?, 1]>>, %[[SKV:[^:]*]]: index,
// CHECK-SAME:    %[[V:[^:]*]]: memref<?x2x?x64xbf16, strided<[?, ?, ?, 1]>>, %[[B:[^:]*]]: index,
// CHECK-SAME:    %[[OUT:[^:]*]]: memref<?x2x4x?x64xbf16, strided<[?, ?, ?, ?, 1]>>,
// CHECK-SAME:    %[[LSE:[^:]*]]: memref<?x2x4x?x1xf32, strided<[?, ?, ?, ?, 1]>>) warpgroups 2 {
// CHECK-DAG:   %[[LN2:.*]] = arith.constant dense<0.693147182> : vector<64x1xf32>
// CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<0xFF800000> : vector<64x1xf32>
// CHECK-DAG:   %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:   %[[C4:.*]] = arith.constant 4 : index
// CHECK:       %[[TILES:.*]] = arith.ceildivsi %[[SQ]], %{{.*}} : index
// CHECK:       attn_gpu.work_loop (%[[B0:.*]], %[[H:.*]], %[[G:.*]], %[[I:.*]]) in (%[[B]], %[[C2]], %[[C4]], %[[TILES]]) descending [3] {
// A query head reads the key head of its group.
// CHECK:         attn_gpu.read %[[Q]][%[[B0]], %[[H]], %[[G]], %{{.*}}, %{{.*}}]
// CHECK:         scf.for %[[S:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[PARTIAL:.*]] = arith.cmpi slt, %[[S]], %{{.*}} : index
// CHECK:           attn_gpu.read %[[K]][%[[B0]], %[[H]], %[[START:.*]], %{{.*}}]
// CHECK:           attn_gpu.read %[[V]][%[[B0]], %[[H]], %[[START]], %{{.*}}]
// CHECK:           scf.if %[[PARTIAL]]
// CHECK:             %[[R:.*]] = attn_gpu.iota : vector<64x1xi32>
// CHECK:             %[[P:.*]] = arith.addi %{{.*}}, %[[R]] overflow<nsw> : vector<64x1xi32>
// CHECK:             %[[J:.*]] = attn_gpu.iota : vector<1x128xi32>
// CHECK:             %[[KEYS:.*]] = arith.addi %{{.*}}, %[[J]] overflow<nsw> : vector<1x128xi32>
// CHECK:             %[[RS:.*]] = vector.broadcast %[[KEYS]]
// CHECK:             %[[PS:.*]] = vector.broadcast %[[P]]
// CHECK:             %[[CAUSAL:.*]] = arith.cmpi sle, %[[RS]], %[[PS]] : vector<64x128xi32>
// CHECK:             arith.andi %[[CAUSAL]], %{{.*}} : vector<64x128xi1>
// CHECK:         %[[TOTAL:.*]] = attn_gpu.row_reduce <add> %{{.*}} : vector<64x4xf32> -> vector<64x1xf32>
// CHECK:         %[[LOG:.*]] = math.log2 %[[TOTAL]]
// CHECK:         %[[SUM:.*]] = arith.addf %{{.*}}, %[[LOG]]
// CHECK:         %[[NEAR:.*]] = arith.mulf %[[SUM]], %[[LN2]]
// CHECK:         %[[LOGSUM:.*]] = arith.select %{{.*}}, %[[NEAR]], %{{.*}} : vector<64x1xi1>
// CHECK:         %[[EMPTY:.*]] = arith.cmpf oeq, %[[TOTAL]], %{{.*}} : vector<64x1xf32>
// CHECK:         %[[ROWS:.*]] = arith.select %[[EMPTY]], %[[NONE]], %[[LOGSUM]]
// CHECK:         attn_gpu.write %{{.*}} to %[[OUT]][%[[B0]], %[[H]], %[[G]], %[[MY:.*]], %{{.*}}] : vector<64x64xbf16>
// CHECK:         attn_gpu.write %[[ROWS]] to %[[LSE]][%[[B0]], %[[H]], %[[G]], %[[MY]], %{{.*}}] : vector<64x1xf32>

// CHECK-LABEL: func.func @causal(
// CHECK:   %[[DIM:.*]] = tensor.dim %arg0, %c2
// CHECK:   %[[HEADS:.*]] = arith.muli %{{.*}}, %c8
// CHECK:   %[[N:.*]] = arith.ceildivsi %[[DIM]], %c128
// CHECK:   %[[BLOCKS:.*]] = arith.muli %[[HEADS]], %[[N]]
// CHECK:   %[[R:.*]]:2 = attn_gpu.launch @causal_kernel blocks %[[BLOCKS]]
// CHECK:   tensor.collapse_shape %[[R]]#1 {{\[}}[0], [1, 2], [3, 4]] : tensor<?x2x4x?x1xf32> into tensor<?x8x?xf32>
!t = tensor<?x8x?x64xbf16>
!kv = tensor<?x2x?x64xbf16>
!l = tensor<?x8x?xf32>
func.func @causal(%q: !t, %k: !kv, %v: !kv) -> (!t, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : !t, !kv, !kv -> !t, !l
  return %out, %lse : !t, !l
}
