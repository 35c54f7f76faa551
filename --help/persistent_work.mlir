attn_gpu.kernel @work_once_None(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule once {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_once_None_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule once {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule once {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_once_1(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_once_1_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_once_3(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 3 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_once_3_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 3 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_once_100_counted(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 100 : index
  %count = attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once iter_args(%m = %c0) -> (index) {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    %c1 = arith.constant 1 : index
    %next = arith.addi %m, %c1 : index
    attn_gpu.yield %next : index
  }
  %n = arith.index_cast %count : index to i32
  %f = arith.sitofp %n : i32 to f32
  %x = vector.broadcast %f : f32 to vector<64x1xf32>
  attn_gpu.write %x to %counts[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @work_once_100_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 100 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule once {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_strided_None(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule strided {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_strided_None_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule strided {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule strided {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_strided_1(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_strided_1_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_strided_3(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 3 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_strided_3_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 3 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_strided_100_counted(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 100 : index
  %count = attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided iter_args(%m = %c0) -> (index) {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    %c1 = arith.constant 1 : index
    %next = arith.addi %m, %c1 : index
    attn_gpu.yield %next : index
  }
  %n = arith.index_cast %count : index to i32
  %f = arith.sitofp %n : i32 to f32
  %x = vector.broadcast %f : f32 to vector<64x1xf32>
  attn_gpu.write %x to %counts[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @work_strided_100_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 100 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule strided {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_None(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule dynamic {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_None_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule dynamic {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] schedule dynamic {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_1(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_1_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 1 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_3(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 3 : index
  attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
  }
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_3_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 3 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_100_counted(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 100 : index
  %count = attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic iter_args(%m = %c0) -> (index) {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    %c1 = arith.constant 1 : index
    %next = arith.addi %m, %c1 : index
    attn_gpu.yield %next : index
  }
  %n = arith.index_cast %count : index to i32
  %f = arith.sitofp %n : i32 to f32
  %x = vector.broadcast %f : f32 to vector<64x1xf32>
  attn_gpu.write %x to %counts[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @work_dynamic_100_roles(%to: memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>, %counts: memref<?x1xf32, strided<[?, 1]>>, %a: index, %b: index, %c: index) warpgroups 2 {
  %c0 = arith.constant 0 : index
  %g = arith.constant 100 : index
  attn_gpu.warp_specialize producer 40 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    }
  } consumers 232 {
    attn_gpu.work_loop (%i, %j, %k) in (%a, %b, %c) descending [2] group %g schedule dynamic {
    %block = arith.muli %i, %b : index
    %plane = arith.addi %block, %j : index
    %line = arith.muli %plane, %c : index
    %point = arith.addi %line, %k : index
    %n = arith.index_cast %point : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = vector.broadcast %f : f32 to vector<64x1xf32>
    %c64 = arith.constant 64 : index
    %at = arith.muli %k, %c64 : index
    attn_gpu.write %x to %to[%i, %j, %at, %c0] : vector<64x1xf32>, memref<?x?x?x1xf32, strided<[?, ?, ?, 1]>>
    }
  }
  attn_gpu.return
}
