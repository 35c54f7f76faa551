// Static shapes, no mask, no lse: two key tiles, of which the last is ragged.

// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: attn_gpu.kernel @full_kernel(
// CHECK-SAME:    %[[Q:[^:]*]]: memref<1x2x1x200x64xf16, strided<[?, ?, ?, ?, 1]>>,
// CHECK-SAME:    %[[K:[^:]*]]: memref<1x2x200x64xf16, strided<[?, ?, ?, 1]>>,
// CHECK-SAME:    %[[V:[^:]*]]: memref<1x2x200x64xf16, strided<[?, ?, ?, 1]>>,
// CHECK-SAME:    %[[OUT:[^:]*]]: memref<1x2x1x200x64xf16, strided<[?, ?, ?, ?, 1]>>) warpgroups 2 {
// The neutral state: a maximum of -inf, sums of 0.
// CHECK-DAG:  %[[NONE:.*]] = arith.constant dense<0xFF800000> : vector<64x1xf32>
// CHECK-DAG:  %[[L0:.*]] = arith.constant dense<0.000000e+00> : vector<64x4xf32>
// CHECK-DAG:  %[[ACC0:.*]] = arith.constant dense<0.000000e+00> : vector<64x64xf32>
// CHECK-DAG:  %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<64x1xf32>
// CHECK-DAG:  %[[HIDDEN:.*]] = arith.constant dense<0xFF800000> : vector<64x128xf32>
// 1/sqrt(64) * log2(e)
// CHECK-DAG:  %[[F1:.*]] = arith.constant dense<0.180336878> : vector<64x1xf32>
// CHECK-DAG:  %[[F:.*]] = arith.constant dense<0.180336878> : vector<64x128xf32>
// CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:  %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG:  %[[C128:.*]] = arith.constant 128 : index
// CHECK-DAG:  %[[C200:.*]] = arith.constant 200 : index
// CHECK:      attn_gpu.work_loop (%{{.*}}, %[[H:.*]], %{{.*}}, %[[I:.*]]) in (%[[C1]], %[[C2]], %[[C1]], %[[C2]]) descending [3] {
// CHECK:        %[[ROW:.*]] = arith.muli %[[I]], %[[C128]]
// CHECK:        %[[QT:.*]] = attn_gpu.read %[[Q]][%[[C0]], %[[H]], %[[C0]], %[[ROW]], %[[C0]]]
// CHECK:        %[[W:.*]] = attn_gpu.warpgroup_index
// CHECK:        %[[WROW:.*]] = arith.muli %[[W]], %[[C64]]
// CHECK:        %[[MINE:.*]] = attn_gpu.subtile %[[QT]][%[[WROW]]] : !attn_gpu.tile<128x64xf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
// CHECK:        %[[STATE:.*]]:3 = scf.for %[[S:.*]] = %[[C0]] to %[[C2]] step %[[C1]] iter_args(%[[M:.*]] = %[[NONE]], %[[L:.*]] = %[[L0]], %[[ACC:.*]] = %[[ACC0]])
// The last tile first; it is the one that has fewer keys.
// CHECK:          %[[T:.*]] = arith.subi %[[C1]], %[[S]]
// CHECK:          %[[START:.*]] = arith.muli %[[T]], %[[C128]]
// CHECK:          %[[LEFT:.*]] = arith.subi %[[C200]], %[[START]]
// CHECK:          %[[VALID:.*]] = arith.minsi %[[LEFT]], %[[C128]]
// CHECK:          %[[RAGGED:.*]] = arith.cmpi slt, %[[S]], %[[C1]]
// CHECK:          %[[KT:.*]] = attn_gpu.read %[[K]][%[[C0]], %[[H]], %[[START]], %[[C0]]]
// CHECK:          %[[VT:.*]] = attn_gpu.read %[[V]][%[[C0]], %[[H]], %[[START]], %[[C0]]]
// CHECK:          %[[P:.*]] = attn_gpu.mma %[[MINE]], %[[KT]] transpose_b
// CHECK:          %[[X:.*]] = attn_gpu.mma_wait %[[P]] : vector<64x128xf32>
// CHECK:          %[[SEEN:.*]] = scf.if %[[RAGGED]]
// CHECK:            %[[COLUMN:.*]] = attn_gpu.iota : vector<1x128xi32>
// CHECK:            arith.index_cast %[[VALID]]
// CHECK:            arith.cmpi slt, %[[COLUMN]]
// CHECK:            arith.select %{{.*}}, %[[X]], %[[HIDDEN]]
// CHECK:          } else {
// CHECK:            scf.yield %[[X]]
// CHECK:          %[[MAX:.*]] = attn_gpu.row_reduce <maxnumf> %[[SEEN]] : vector<64x128xf32> -> vector<64x1xf32>
// CHECK:          %[[SCALED:.*]] = arith.mulf %[[MAX]], %[[F1]]
// CHECK:          %[[NEWM:.*]] = arith.maxnumf %[[M]], %[[SCALED]]
// No row, no exponent of -inf - -inf.
// CHECK:          %[[EMPTY:.*]] = arith.cmpf oeq, %[[NEWM]], %[[NONE]]
// CHECK:          %[[BASE:.*]] = arith.select %[[EMPTY]], %[[ZERO]], %[[NEWM]]
// CHECK:          %[[DIFF:.*]] = arith.subf %[[M]], %[[BASE]]
// CHECK:          %[[RESCALE:.*]] = math.exp2 %[[DIFF]]
// CHECK:          %[[E:.*]] = math.fma %[[SEEN]], %[[F]], %{{.*}} : vector<64x128xf32>
// CHECK:          %[[WEIGHTS:.*]] = math.exp2 %[[E]]
// CHECK:          %[[SUM:.*]] = attn_gpu.row_reduce <add> %[[WEIGHTS]] : vector<64x128xf32> -> vector<64x4xf32>
// CHECK:          %[[NEWL:.*]] = math.fma %[[L]], %{{.*}}, %[[SUM]]
// CHECK:          %[[OLD:.*]] = attn_gpu.scale_rows %[[ACC]] by %[[RESCALE]] always : vector<64x64xf32>
// CHECK:          %[[P16:.*]] = arith.truncf %[[WEIGHTS]] : vector<64x128xf32> to vector<64x128xf16>
// CHECK:          %[[PV:.*]] = attn_gpu.mma %[[P16]], %[[VT]] acc %[[OLD]]
// CHECK:          %[[NEWACC:.*]] = attn_gpu.mma_wait %[[PV]]
// CHECK:          scf.yield %[[NEWM]], %[[NEWL]], %[[NEWACC]]
// CHECK:        %[[TOTAL:.*]] = attn_gpu.row_reduce <add> %[[STATE]]#1 : vector<64x4xf32> -> vector<64x1xf32>
// CHECK:        arith.truncf %{{.*}} : vector<64x64xf32> to vector<64x64xf16>
// CHECK:        attn_gpu.write %{{.*}} to %[[OUT]][%[[C0]], %[[H]], %[[C0]], %{{.*}}, %[[C0]]] : vector<64x64xf16>
// CHECK-NOT:    attn_gpu.write
// CHECK:      attn_gpu.return

// CHECK-LABEL: func.func @full(
// CHECK:   %[[BLOCKS:.*]] = arith.constant 4 : index
// CHECK:   %[[TO:.*]] = tensor.empty() : tensor<1x2x1x200x64xf16>
// CHECK:   attn_gpu.launch @full_kernel blocks %[[BLOCKS]] ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(%[[TO]] : tensor<1x2x1x200x64xf16>)
!t = tensor<1x2x200x64xf16>
func.func @full(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
