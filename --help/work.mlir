attn_gpu.kernel @work(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %row = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %row, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_0(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [0] {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %row = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %row, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_12(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [1, 2] {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %row = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %row, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}
