attn_gpu.kernel @staged_loop_0(%to: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %h = arith.truncf %f : f32 to bf16
    %x = vector.broadcast %h : bf16 to vector<64x64xbf16>
    attn_gpu.copy_wait read
    attn_gpu.store_fragment %x to %stage : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    attn_gpu.copy_out %stage to %to[%at, %c1, %c1, %c1, %c0] row_dim 0 : !attn_gpu.tile<64x64xbf16>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  }
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_loop_1(%to: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %h = arith.truncf %f : f32 to bf16
    %x = vector.broadcast %h : bf16 to vector<64x64xbf16>
    attn_gpu.copy_wait read
    attn_gpu.store_fragment %x to %stage : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    attn_gpu.copy_out %stage to %to[%c1, %at, %c1, %c1, %c0] row_dim 1 : !attn_gpu.tile<64x64xbf16>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  }
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_loop_2(%to: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %h = arith.truncf %f : f32 to bf16
    %x = vector.broadcast %h : bf16 to vector<64x64xbf16>
    attn_gpu.copy_wait read
    attn_gpu.store_fragment %x to %stage : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    attn_gpu.copy_out %stage to %to[%c1, %c1, %at, %c1, %c0] row_dim 2 : !attn_gpu.tile<64x64xbf16>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  }
  attn_gpu.copy_wait
  attn_gpu.return
}

attn_gpu.kernel @staged_loop_3(%to: memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>, %n: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %stage = attn_gpu.tile_create : !attn_gpu.tile<64x64xbf16>
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %h = arith.truncf %f : f32 to bf16
    %x = vector.broadcast %h : bf16 to vector<64x64xbf16>
    attn_gpu.copy_wait read
    attn_gpu.store_fragment %x to %stage : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16>
    %c64 = arith.constant 64 : index
    %at = arith.muli %i, %c64 : index
    attn_gpu.copy_out %stage to %to[%c1, %c1, %c1, %at, %c0] row_dim 3 : !attn_gpu.tile<64x64xbf16>, memref<?x?x?x?x?xbf16, strided<[?, ?, ?, ?, 1]>>
  }
  attn_gpu.copy_wait
  attn_gpu.return
}
