attn_gpu.kernel @write_f32_8(%to: memref<?x?xf32, strided<[?, 1]>>, %rows: memref<?x?xf32, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %i = attn_gpu.iota : vector<64x1xi32>
  %j = attn_gpu.iota : vector<1x8xindex>
  %j32 = arith.index_cast %j : vector<1x8xindex> to vector<1x8xi32>
  %is = vector.broadcast %i : vector<64x1xi32> to vector<64x8xi32>
  %js = vector.broadcast %j32 : vector<1x8xi32> to vector<64x8xi32>
  %k = arith.constant dense<1000> : vector<64x8xi32>
  %ik = arith.muli %is, %k : vector<64x8xi32>
  %n = arith.addi %ik, %js : vector<64x8xi32>
  %x = arith.sitofp %n : vector<64x8xi32> to vector<64x8xf32>
  %y = arith.sitofp %i : vector<64x1xi32> to vector<64x1xf32>
  attn_gpu.write %x to %to[%r, %c] : vector<64x8xf32>, memref<?x?xf32, strided<[?, 1]>>
  attn_gpu.write %y to %rows[%r, %c] : vector<64x1xf32>, memref<?x?xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @write_f32_128(%to: memref<?x?xf32, strided<[?, 1]>>, %rows: memref<?x?xf32, strided<[?, 1]>>, %r: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %i = attn_gpu.iota : vector<64x1xi32>
  %j = attn_gpu.iota : vector<1x128xindex>
  %j32 = arith.index_cast %j : vector<1x128xindex> to vector<1x128xi32>
  %is = vector.broadcast %i : vector<64x1xi32> to vector<64x128xi32>
  %js = vector.broadcast %j32 : vector<1x128xi32> to vector<64x128xi32>
  %k = arith.constant dense<1000> : vector<64x128xi32>
  %ik = arith.muli %is, %k : vector<64x128xi32>
  %n = arith.addi %ik, %js : vector<64x128xi32>
  %x = arith.sitofp %n : vector<64x128xi32> to vector<64x128xf32>
  %y = arith.sitofp %i : vector<64x1xi32> to vector<64x1xf32>
  attn_gpu.write %x to %to[%r, %c] : vector<64x128xf32>, memref<?x?xf32, strided<[?, 1]>>
  attn_gpu.write %y to %rows[%r, %c] : vector<64x1xf32>, memref<?x?xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_add_64(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %all = attn_gpu.row_reduce <add> %x : vector<64x64xf32> -> vector<64x1xf32>
  %parts = attn_gpu.row_reduce <add> %x : vector<64x64xf32> -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %doubled = arith.mulf %parts, %two : vector<64x4xf32>
  %later = attn_gpu.row_reduce <add> %doubled : vector<64x4xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %later to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_add_192(%from: memref<64x192xbf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x192xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x192xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x192xbf16> -> vector<64x192xbf16>
  %x = arith.extf %half : vector<64x192xbf16> to vector<64x192xf32>
  %all = attn_gpu.row_reduce <add> %x : vector<64x192xf32> -> vector<64x1xf32>
  %parts = attn_gpu.row_reduce <add> %x : vector<64x192xf32> -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %doubled = arith.mulf %parts, %two : vector<64x4xf32>
  %later = attn_gpu.row_reduce <add> %doubled : vector<64x4xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %later to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_maxnumf_64(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %all = attn_gpu.row_reduce <maxnumf> %x : vector<64x64xf32> -> vector<64x1xf32>
  %parts = attn_gpu.row_reduce <maxnumf> %x : vector<64x64xf32> -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %doubled = arith.mulf %parts, %two : vector<64x4xf32>
  %later = attn_gpu.row_reduce <maxnumf> %doubled : vector<64x4xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %later to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_maxnumf_192(%from: memref<64x192xbf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x192xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x192xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x192xbf16> -> vector<64x192xbf16>
  %x = arith.extf %half : vector<64x192xbf16> to vector<64x192xf32>
  %all = attn_gpu.row_reduce <maxnumf> %x : vector<64x192xf32> -> vector<64x1xf32>
  %parts = attn_gpu.row_reduce <maxnumf> %x : vector<64x192xf32> -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %doubled = arith.mulf %parts, %two : vector<64x4xf32>
  %later = attn_gpu.row_reduce <maxnumf> %doubled : vector<64x4xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %later to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_minnumf_64(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %all = attn_gpu.row_reduce <minnumf> %x : vector<64x64xf32> -> vector<64x1xf32>
  %parts = attn_gpu.row_reduce <minnumf> %x : vector<64x64xf32> -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %doubled = arith.mulf %parts, %two : vector<64x4xf32>
  %later = attn_gpu.row_reduce <minnumf> %doubled : vector<64x4xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %later to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_minnumf_192(%from: memref<64x192xbf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x192xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x192xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x192xbf16> -> vector<64x192xbf16>
  %x = arith.extf %half : vector<64x192xbf16> to vector<64x192xf32>
  %all = attn_gpu.row_reduce <minnumf> %x : vector<64x192xf32> -> vector<64x1xf32>
  %parts = attn_gpu.row_reduce <minnumf> %x : vector<64x192xf32> -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %doubled = arith.mulf %parts, %two : vector<64x4xf32>
  %later = attn_gpu.row_reduce <minnumf> %doubled : vector<64x4xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %all to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %later to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_narrow_8(%a: memref<64x64xf16, strided<[?, 1]>>, %b: memref<8x64xf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<8x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<8x64xf16>
  %s = attn_gpu.mma %a_tile, %b_tile transpose_b : !attn_gpu.tile<64x64xf16>, !attn_gpu.tile<8x64xf16> -> vector<64x8xf32>
  %x = attn_gpu.mma_wait %s : vector<64x8xf32>
  %sum = attn_gpu.row_reduce <add> %x : vector<64x8xf32> -> vector<64x1xf32>
  %max = attn_gpu.row_reduce <maxnumf> %x : vector<64x8xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %max to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_narrow_16(%a: memref<64x64xf16, strided<[?, 1]>>, %b: memref<16x64xf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<16x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<16x64xf16>
  %s = attn_gpu.mma %a_tile, %b_tile transpose_b : !attn_gpu.tile<64x64xf16>, !attn_gpu.tile<16x64xf16> -> vector<64x16xf32>
  %x = attn_gpu.mma_wait %s : vector<64x16xf32>
  %sum = attn_gpu.row_reduce <add> %x : vector<64x16xf32> -> vector<64x1xf32>
  %max = attn_gpu.row_reduce <maxnumf> %x : vector<64x16xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %max to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @reduce_narrow_24(%a: memref<64x64xf16, strided<[?, 1]>>, %b: memref<24x64xf16, strided<[?, 1]>>, %to: memref<64x2xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<24x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<24x64xf16>
  %s = attn_gpu.mma %a_tile, %b_tile transpose_b : !attn_gpu.tile<64x64xf16>, !attn_gpu.tile<24x64xf16> -> vector<64x24xf32>
  %x = attn_gpu.mma_wait %s : vector<64x24xf32>
  %sum = attn_gpu.row_reduce <add> %x : vector<64x24xf32> -> vector<64x1xf32>
  %max = attn_gpu.row_reduce <maxnumf> %x : vector<64x24xf32> -> vector<64x1xf32>
  %c1 = arith.constant 1 : index
  attn_gpu.write %sum to %to[%c0, %c0] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.write %max to %to[%c0, %c1] : vector<64x1xf32>, memref<64x2xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mask_index(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>, %shift: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %z = arith.constant 0 : index
  %s = arith.addi %shift, %z : index
  %i = attn_gpu.iota : vector<64x1xindex>
  %j = attn_gpu.iota : vector<1x64xindex>
  %is = vector.broadcast %i : vector<64x1xindex> to vector<64x64xindex>
  %js = vector.broadcast %j : vector<1x64xindex> to vector<64x64xindex>
  %ss = vector.broadcast %s : index to vector<64x64xindex>
  %last = arith.addi %is, %ss : vector<64x64xindex>
  %seen = arith.cmpi sle, %js, %last : vector<64x64xindex>
  %none = arith.constant dense<-1.0> : vector<64x64xf32>
  %y = arith.select %seen, %x, %none : vector<64x64xi1>, vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mask_i32(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>, %shift: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %s = arith.index_cast %shift : index to i32
  %i = attn_gpu.iota : vector<64x1xi32>
  %j = attn_gpu.iota : vector<1x64xi32>
  %is = vector.broadcast %i : vector<64x1xi32> to vector<64x64xi32>
  %js = vector.broadcast %j : vector<1x64xi32> to vector<64x64xi32>
  %ss = vector.broadcast %s : i32 to vector<64x64xi32>
  %last = arith.addi %is, %ss : vector<64x64xi32>
  %seen = arith.cmpi sle, %js, %last : vector<64x64xi32>
  %none = arith.constant dense<-1.0> : vector<64x64xf32>
  %y = arith.select %seen, %x, %none : vector<64x64xi1>, vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @control(%to: memref<64x1xf32, strided<[?, 1]>>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %i = attn_gpu.iota : vector<64x1xi32>
  %x = arith.sitofp %i : vector<64x1xi32> to vector<64x1xf32>
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %big = arith.cmpi sgt, %n, %c3 : index
  %y = scf.if %big -> (vector<64x1xf32>) {
    %t = arith.constant dense<10.0> : vector<64x1xf32>
    %u = arith.mulf %x, %t : vector<64x1xf32>
    scf.yield %u : vector<64x1xf32>
  } else {
    scf.yield %x : vector<64x1xf32>
  }
  %z, %m = scf.while (%v = %y, %k = %n) : (vector<64x1xf32>, index) -> (vector<64x1xf32>, index) {
    %more = arith.cmpi sgt, %k, %c0 : index
    scf.condition(%more) %v, %k : vector<64x1xf32>, index
  } do {
  ^bb0(%v: vector<64x1xf32>, %k: index):
    %one = arith.constant dense<1.0> : vector<64x1xf32>
    %next = arith.addf %v, %one : vector<64x1xf32>
    %less = arith.subi %k, %c1 : index
    scf.yield %next, %less : vector<64x1xf32>, index
  }
  attn_gpu.write %z to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32, strided<[?, 1]>>
  attn_gpu.return
}
