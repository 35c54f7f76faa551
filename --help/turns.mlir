attn_gpu.kernel @turns_2(%to: memref<64x1xf32, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 2 : index
  %last = arith.constant 1 : index
  %w = attn_gpu.warpgroup_index
  scf.for %i = %c0 to %n step %c1 {
    %before = arith.subi %last, %w : index
    %c500 = arith.constant 500 : index
    %delay = arith.muli %before, %c500 : index
    %one = arith.constant dense<0.7> : vector<64x1xf32>
    %slow = scf.for %j = %c0 to %delay step %c1 iter_args(%x = %one) -> (vector<64x1xf32>) {
      %y = math.exp2 %x : vector<64x1xf32>
      %minus = arith.negf %y : vector<64x1xf32>
      %z = math.exp2 %minus : vector<64x1xf32>
      scf.yield %z : vector<64x1xf32>
    }
    %zero = arith.constant dense<0.0> : vector<64x1xf32>
    %nothing = arith.mulf %slow, %zero : vector<64x1xf32>
    attn_gpu.turn_wait
    %all = arith.muli %i, %many : index
    %k = arith.addi %all, %w : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %v = vector.broadcast %f : f32 to vector<64x1xf32>
    %u = arith.addf %v, %nothing : vector<64x1xf32>
    attn_gpu.write %u to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32, strided<[?, 1]>>
    attn_gpu.turn_pass
  }
  attn_gpu.return
}

attn_gpu.kernel @turns_2_roles(%to: memref<64x1xf32, strided<[?, 1]>>, %n: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  attn_gpu.warp_specialize producer 40 {
  } consumers 232 {
  %c1 = arith.constant 1 : index
  %many = arith.constant 2 : index
  %last = arith.constant 1 : index
  %w = attn_gpu.warpgroup_index
  scf.for %i = %c0 to %n step %c1 {
    %before = arith.subi %last, %w : index
    %c500 = arith.constant 500 : index
    %delay = arith.muli %before, %c500 : index
    %one = arith.constant dense<0.7> : vector<64x1xf32>
    %slow = scf.for %j = %c0 to %delay step %c1 iter_args(%x = %one) -> (vector<64x1xf32>) {
      %y = math.exp2 %x : vector<64x1xf32>
      %minus = arith.negf %y : vector<64x1xf32>
      %z = math.exp2 %minus : vector<64x1xf32>
      scf.yield %z : vector<64x1xf32>
    }
    %zero = arith.constant dense<0.0> : vector<64x1xf32>
    %nothing = arith.mulf %slow, %zero : vector<64x1xf32>
    attn_gpu.turn_wait
    %all = arith.muli %i, %many : index
    %k = arith.addi %all, %w : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %v = vector.broadcast %f : f32 to vector<64x1xf32>
    %u = arith.addf %v, %nothing : vector<64x1xf32>
    attn_gpu.write %u to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32, strided<[?, 1]>>
    attn_gpu.turn_pass
  }
  }
  attn_gpu.return
}

attn_gpu.kernel @turns_3(%to: memref<64x1xf32, strided<[?, 1]>>, %n: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 3 : index
  %last = arith.constant 2 : index
  %w = attn_gpu.warpgroup_index
  scf.for %i = %c0 to %n step %c1 {
    %before = arith.subi %last, %w : index
    %c500 = arith.constant 500 : index
    %delay = arith.muli %before, %c500 : index
    %one = arith.constant dense<0.7> : vector<64x1xf32>
    %slow = scf.for %j = %c0 to %delay step %c1 iter_args(%x = %one) -> (vector<64x1xf32>) {
      %y = math.exp2 %x : vector<64x1xf32>
      %minus = arith.negf %y : vector<64x1xf32>
      %z = math.exp2 %minus : vector<64x1xf32>
      scf.yield %z : vector<64x1xf32>
    }
    %zero = arith.constant dense<0.0> : vector<64x1xf32>
    %nothing = arith.mulf %slow, %zero : vector<64x1xf32>
    attn_gpu.turn_wait
    %all = arith.muli %i, %many : index
    %k = arith.addi %all, %w : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %v = vector.broadcast %f : f32 to vector<64x1xf32>
    %u = arith.addf %v, %nothing : vector<64x1xf32>
    attn_gpu.write %u to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32, strided<[?, 1]>>
    attn_gpu.turn_pass
  }
  attn_gpu.return
}

attn_gpu.kernel @turns_3_roles(%to: memref<64x1xf32, strided<[?, 1]>>, %n: index) warpgroups 3 {
  %c0 = arith.constant 0 : index
  attn_gpu.warp_specialize producer 32 {
  } consumers 160 {
  %c1 = arith.constant 1 : index
  %many = arith.constant 3 : index
  %last = arith.constant 2 : index
  %w = attn_gpu.warpgroup_index
  scf.for %i = %c0 to %n step %c1 {
    %before = arith.subi %last, %w : index
    %c500 = arith.constant 500 : index
    %delay = arith.muli %before, %c500 : index
    %one = arith.constant dense<0.7> : vector<64x1xf32>
    %slow = scf.for %j = %c0 to %delay step %c1 iter_args(%x = %one) -> (vector<64x1xf32>) {
      %y = math.exp2 %x : vector<64x1xf32>
      %minus = arith.negf %y : vector<64x1xf32>
      %z = math.exp2 %minus : vector<64x1xf32>
      scf.yield %z : vector<64x1xf32>
    }
    %zero = arith.constant dense<0.0> : vector<64x1xf32>
    %nothing = arith.mulf %slow, %zero : vector<64x1xf32>
    attn_gpu.turn_wait
    %all = arith.muli %i, %many : index
    %k = arith.addi %all, %w : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %v = vector.broadcast %f : f32 to vector<64x1xf32>
    %u = arith.addf %v, %nothing : vector<64x1xf32>
    attn_gpu.write %u to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32, strided<[?, 1]>>
    attn_gpu.turn_pass
  }
  }
  attn_gpu.return
}

attn_gpu.kernel @turns_4(%to: memref<64x1xf32, strided<[?, 1]>>, %n: index) warpgroups 4 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 4 : index
  %last = arith.constant 3 : index
  %w = attn_gpu.warpgroup_index
  scf.for %i = %c0 to %n step %c1 {
    %before = arith.subi %last, %w : index
    %c500 = arith.constant 500 : index
    %delay = arith.muli %before, %c500 : index
    %one = arith.constant dense<0.7> : vector<64x1xf32>
    %slow = scf.for %j = %c0 to %delay step %c1 iter_args(%x = %one) -> (vector<64x1xf32>) {
      %y = math.exp2 %x : vector<64x1xf32>
      %minus = arith.negf %y : vector<64x1xf32>
      %z = math.exp2 %minus : vector<64x1xf32>
      scf.yield %z : vector<64x1xf32>
    }
    %zero = arith.constant dense<0.0> : vector<64x1xf32>
    %nothing = arith.mulf %slow, %zero : vector<64x1xf32>
    attn_gpu.turn_wait
    %all = arith.muli %i, %many : index
    %k = arith.addi %all, %w : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %v = vector.broadcast %f : f32 to vector<64x1xf32>
    %u = arith.addf %v, %nothing : vector<64x1xf32>
    attn_gpu.write %u to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32, strided<[?, 1]>>
    attn_gpu.turn_pass
  }
  attn_gpu.return
}

attn_gpu.kernel @turns_4_roles(%to: memref<64x1xf32, strided<[?, 1]>>, %n: index) warpgroups 4 {
  %c0 = arith.constant 0 : index
  attn_gpu.warp_specialize producer 24 {
  } consumers 112 {
  %c1 = arith.constant 1 : index
  %many = arith.constant 4 : index
  %last = arith.constant 3 : index
  %w = attn_gpu.warpgroup_index
  scf.for %i = %c0 to %n step %c1 {
    %before = arith.subi %last, %w : index
    %c500 = arith.constant 500 : index
    %delay = arith.muli %before, %c500 : index
    %one = arith.constant dense<0.7> : vector<64x1xf32>
    %slow = scf.for %j = %c0 to %delay step %c1 iter_args(%x = %one) -> (vector<64x1xf32>) {
      %y = math.exp2 %x : vector<64x1xf32>
      %minus = arith.negf %y : vector<64x1xf32>
      %z = math.exp2 %minus : vector<64x1xf32>
      scf.yield %z : vector<64x1xf32>
    }
    %zero = arith.constant dense<0.0> : vector<64x1xf32>
    %nothing = arith.mulf %slow, %zero : vector<64x1xf32>
    attn_gpu.turn_wait
    %all = arith.muli %i, %many : index
    %k = arith.addi %all, %w : index
    %k32 = arith.index_cast %k : index to i32
    %f = arith.sitofp %k32 : i32 to f32
    %v = vector.broadcast %f : f32 to vector<64x1xf32>
    %u = arith.addf %v, %nothing : vector<64x1xf32>
    attn_gpu.write %u to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32, strided<[?, 1]>>
    attn_gpu.turn_pass
  }
  }
  attn_gpu.return
}
