// RUN: attn-opt %s | attn-opt | FileCheck %s

// One causal query tile after the other: what a synchronous attention kernel
// looks like.

!qkv = memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>
!lse = memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>

// CHECK-LABEL: attn_gpu.kernel @attention
// CHECK-SAME:    (%{{.*}}: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1]>>
// CHECK-SAME:    warpgroups 2 {
attn_gpu.kernel @attention(%q: !qkv, %k: !qkv, %v: !qkv, %out: !qkv,
                           %lse: !lse, %batches: index, %heads: index,
                           %queries: index, %keys: index, %factor: f32)
    warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x1xf32>
  %zero4 = arith.constant dense<0.0> : vector<64x4xf32>
  %none = arith.constant dense<0xFF800000> : vector<64x1xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<64x128xf32>
  %acc0 = arith.constant dense<0.0> : vector<64x64xf32>
  %ln2 = arith.constant dense<0.693147182> : vector<64x1xf32>
  %tiles = arith.ceildivui %queries, %c128 : index
  %factors = vector.broadcast %factor : f32 to vector<64x1xf32>
  // CHECK: attn_gpu.work_loop (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}, %{{.*}}) descending [2] {
  attn_gpu.work_loop (%b, %h, %t) in (%batches, %heads, %tiles) descending [2] {
    %row = arith.muli %t, %c128 : index
    // CHECK: attn_gpu.read %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : memref<?x?x?x64xbf16, {{.*}}> -> !attn_gpu.tile<128x64xbf16>
    %q_tile = attn_gpu.read %q[%b, %h, %row, %c0] : !qkv -> !attn_gpu.tile<128x64xbf16>
    // CHECK: attn_gpu.warpgroup_index
    %w = attn_gpu.warpgroup_index
    %w_row = arith.muli %w, %c64 : index
    // CHECK: attn_gpu.subtile %{{.*}}[%{{.*}}] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    %q_mine = attn_gpu.subtile %q_tile[%w_row] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    %my_row = arith.addi %row, %w_row : index
    // Positions: bottom-right aligned.
    %shift = arith.subi %keys, %queries : index
    %p0 = arith.addi %my_row, %shift : index
    // CHECK: attn_gpu.iota : vector<64x1xindex>
    %i = attn_gpu.iota : vector<64x1xindex>
    %p0s = vector.broadcast %p0 : index to vector<64x1xindex>
    %p = arith.addi %p0s, %i : vector<64x1xindex>
    %end = arith.addi %row, %c128 : index
    %last = arith.addi %end, %shift : index
    %seen = arith.minsi %last, %keys : index
    %n = arith.ceildivsi %seen, %c128 : index
    %state:3 = scf.for %j = %c0 to %n step %c1 iter_args(%m = %none, %l = %zero4, %acc = %acc0)
        -> (vector<64x1xf32>, vector<64x4xf32>, vector<64x64xf32>) {
      %start = arith.muli %j, %c128 : index
      %k_tile = attn_gpu.read %k[%b, %h, %start, %c0] : !qkv -> !attn_gpu.tile<128x64xbf16>
      %v_tile = attn_gpu.read %v[%b, %h, %start, %c0] : !qkv -> !attn_gpu.tile<128x64xbf16>
      // CHECK: attn_gpu.mma %{{.*}}, %{{.*}} transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, !attn_gpu.tile<128x64xbf16> -> vector<64x128xf32>
      %s_started = attn_gpu.mma %q_mine, %k_tile transpose_b : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, !attn_gpu.tile<128x64xbf16> -> vector<64x128xf32>
      // CHECK: attn_gpu.mma_wait %{{.*}} : vector<64x128xf32>
      %s = attn_gpu.mma_wait %s_started : vector<64x128xf32>
      %column = attn_gpu.iota : vector<1x128xindex>
      %starts = vector.broadcast %start : index to vector<1x128xindex>
      %r = arith.addi %starts, %column : vector<1x128xindex>
      %ps = vector.broadcast %p : vector<64x1xindex> to vector<64x128xindex>
      %rs = vector.broadcast %r : vector<1x128xindex> to vector<64x128xindex>
      %ends = vector.broadcast %keys : index to vector<64x128xindex>
      %causal = arith.cmpi sle, %rs, %ps : vector<64x128xindex>
      %exists = arith.cmpi slt, %rs, %ends : vector<64x128xindex>
      %visible = arith.andi %causal, %exists : vector<64x128xi1>
      %x = arith.select %visible, %s, %hidden : vector<64x128xi1>, vector<64x128xf32>
      // CHECK: attn_gpu.row_reduce <maxnumf> %{{.*}} : vector<64x128xf32> -> vector<64x1xf32>
      %x_max = attn_gpu.row_reduce <maxnumf> %x : vector<64x128xf32> -> vector<64x1xf32>
      %scaled_max = arith.mulf %x_max, %factors : vector<64x1xf32>
      %new_m = arith.maxnumf %m, %scaled_max : vector<64x1xf32>
      %empty = arith.cmpf oeq, %new_m, %none : vector<64x1xf32>
      %base = arith.select %empty, %zero, %new_m : vector<64x1xi1>, vector<64x1xf32>
      %less = arith.subf %m, %base : vector<64x1xf32>
      %scale = math.exp2 %less : vector<64x1xf32>
      %minus_base = arith.negf %base : vector<64x1xf32>
      %bases = vector.broadcast %minus_base : vector<64x1xf32> to vector<64x128xf32>
      %fs = vector.broadcast %factor : f32 to vector<64x128xf32>
      %e = math.fma %x, %fs, %bases : vector<64x128xf32>
      %weights = math.exp2 %e : vector<64x128xf32>
      // CHECK: attn_gpu.row_reduce <add> %{{.*}} : vector<64x128xf32> -> vector<64x4xf32>
      %sum = attn_gpu.row_reduce <add> %weights : vector<64x128xf32> -> vector<64x4xf32>
      %scale4 = vector.broadcast %scale : vector<64x1xf32> to vector<64x4xf32>
      %new_l = math.fma %l, %scale4, %sum : vector<64x4xf32>
      %scales = vector.broadcast %scale : vector<64x1xf32> to vector<64x64xf32>
      %scaled_acc = arith.mulf %acc, %scales : vector<64x64xf32>
      %w16 = arith.truncf %weights : vector<64x128xf32> to vector<64x128xbf16>
      // CHECK: attn_gpu.mma %{{.*}}, %{{.*}} acc %{{.*}} : vector<64x128xbf16>, !attn_gpu.tile<128x64xbf16> -> vector<64x64xf32>
      %acc_started = attn_gpu.mma %w16, %v_tile acc %scaled_acc : vector<64x128xbf16>, !attn_gpu.tile<128x64xbf16> -> vector<64x64xf32>
      %new_acc = attn_gpu.mma_wait %acc_started : vector<64x64xf32>
      scf.yield %new_m, %new_l, %new_acc : vector<64x1xf32>, vector<64x4xf32>, vector<64x64xf32>
    }
    %l = attn_gpu.row_reduce <add> %state#1 : vector<64x4xf32> -> vector<64x1xf32>
    %one = arith.constant dense<1.0> : vector<64x1xf32>
    %is_empty = arith.cmpf oeq, %l, %zero : vector<64x1xf32>
    %inverse = arith.divf %one, %l : vector<64x1xf32>
    %f = arith.select %is_empty, %zero, %inverse : vector<64x1xi1>, vector<64x1xf32>
    %f64 = vector.broadcast %f : vector<64x1xf32> to vector<64x64xf32>
    %o = arith.mulf %state#2, %f64 : vector<64x64xf32>
    %o16 = arith.truncf %o : vector<64x64xf32> to vector<64x64xbf16>
    // CHECK: attn_gpu.write %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : vector<64x64xbf16>, memref<?x?x?x64xbf16, {{.*}}>
    attn_gpu.write %o16 to %out[%b, %h, %my_row, %c0] : vector<64x64xbf16>, !qkv
    %log = math.log2 %l : vector<64x1xf32>
    %lse2 = arith.addf %state#0, %log : vector<64x1xf32>
    %lse_row = arith.mulf %lse2, %ln2 : vector<64x1xf32>
    // CHECK: attn_gpu.write %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : vector<64x1xf32>, memref<?x?x?x1xf32, {{.*}}>
    attn_gpu.write %lse_row to %lse[%b, %h, %my_row, %c0] : vector<64x1xf32>, !lse
  }
  // CHECK: attn_gpu.return
  attn_gpu.return
}

// CHECK-LABEL: attn_gpu.kernel @roles
attn_gpu.kernel @roles(%from: memref<?x64x?xf16, strided<[?, ?, 1]>>,
                       %to: memref<?x?x64xf16, strided<[?, ?, 1]>>,
                       %tiles: index) warpgroups 1 {
  attn_gpu.work_loop (%t) in (%tiles) {
    %c0 = arith.constant 0 : index
    // CHECK: attn_gpu.read %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] row_dim 0
    %tile = attn_gpu.read %from[%t, %c0, %c0] row_dim 0 : memref<?x64x?xf16, strided<[?, ?, 1]>> -> !attn_gpu.tile<64x64xf16>
    // CHECK: attn_gpu.load_fragment
    %a = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xf16> -> vector<64x64xf16>
    // CHECK: attn_gpu.mma %{{.*}}, %{{.*}} transpose_a : !attn_gpu.tile<64x64xf16>, !attn_gpu.tile<64x64xf16> -> vector<64x64xf32>
    %started = attn_gpu.mma %tile, %tile transpose_a : !attn_gpu.tile<64x64xf16>, !attn_gpu.tile<64x64xf16> -> vector<64x64xf32>
    %both = attn_gpu.mma %a, %tile : vector<64x64xf16>, !attn_gpu.tile<64x64xf16> -> vector<64x64xf32>
    // CHECK: attn_gpu.mma_wait %{{.*}} pending 1 : vector<64x64xf32>
    %x = attn_gpu.mma_wait %started pending 1 : vector<64x64xf32>
    %y = attn_gpu.mma_wait %both : vector<64x64xf32>
    %z = arith.addf %x, %y : vector<64x64xf32>
    %factors = attn_gpu.row_reduce <maxnumf> %z : vector<64x64xf32> -> vector<64x1xf32>
    // CHECK: attn_gpu.scale_rows %{{.*}} by %{{.*}} : vector<64x64xf32>, vector<64x1xf32>
    %seldom = attn_gpu.scale_rows %z by %factors : vector<64x64xf32>, vector<64x1xf32>
    // CHECK: attn_gpu.scale_rows %{{.*}} by %{{.*}} always : vector<64x64xf32>, vector<64x1xf32>
    %always = attn_gpu.scale_rows %seldom by %factors always : vector<64x64xf32>, vector<64x1xf32>
    %z16 = arith.truncf %z : vector<64x64xf32> to vector<64x64xf16>
    attn_gpu.write %z16 to %to[%t, %c0, %c0] : vector<64x64xf16>, memref<?x?x64xf16, strided<[?, ?, 1]>>
  }
  attn_gpu.return
}
