// Causal attention (bottom-right alignment), bf16, D = Dv = 64, tiles of 64 x 64, in the
// form that the CPU code generator takes: linalg on static tiles inside loops.
#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
func.func @attention(%qm: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>, %km: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>, %vm: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>, %om: memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>, %lm: memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bn = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %zt = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : f32
  %ln2 = arith.constant 0.693147180559945309 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.18033688011112042 : f32
  %q = bufferization.to_tensor %qm restrict : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>> to tensor<?x?x?x64xbf16>
  %k = bufferization.to_tensor %km restrict : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>> to tensor<?x?x?x64xbf16>
  %v = bufferization.to_tensor %vm restrict : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>> to tensor<?x?x?x64xbf16>
  %B = memref.dim %qm, %c0 : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
  %H = memref.dim %qm, %c1 : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
  %Hk = memref.dim %km, %c1 : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
  %G = arith.divui %H, %Hk : index
  %sq = memref.dim %qm, %c2 : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
  %skv = memref.dim %km, %c2 : memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
  %nt = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%sq]
  %oe = tensor.empty(%B, %H, %sq) : tensor<?x?x?x64xbf16>
  %le = tensor.empty(%B, %H, %sq) : tensor<?x?x?xf32>
  %res:2 = scf.forall (%b, %hk, %g, %it) in (%B, %Hk, %G, %nt) shared_outs(%ob = %oe, %lb = %le) -> (tensor<?x?x?x64xbf16>, tensor<?x?x?xf32>) {
    %hm = arith.muli %hk, %G : index
    %h = arith.addi %hm, %g : index
    %i0 = affine.apply affine_map<(d0) -> (d0 * 64)>(%it)
    %rows = affine.min affine_map<(d0)[s0] -> (64, s0 - d0)>(%i0)[%sq]
    %rpad = affine.apply affine_map<(d0) -> (64 - d0)>(%rows)
    %p0 = affine.apply affine_map<(d0)[s0, s1] -> (d0 + s1 - s0)>(%i0)[%sq, %skv]
    %qd = tensor.extract_slice %q[%b, %h, %i0, 0] [1, 1, %rows, 64] [1, 1, 1, 1] : tensor<?x?x?x64xbf16> to tensor<?x64xbf16>
    %qp = tensor.pad %qd low[0, 0] high[%rpad, 0] { ^bb0(%x: index, %y: index): tensor.yield %zt : bf16 } : tensor<?x64xbf16> to tensor<64x64xbf16>
    %qe = tensor.empty() : tensor<64x64xf32>
    %qt = linalg.generic {indexing_maps = [affine_map<(d, i) -> (i, d)>, affine_map<(d, i) -> (d, i)>], iterator_types = ["parallel", "parallel"]} ins(%qp : tensor<64x64xbf16>) outs(%qe : tensor<64x64xf32>) {
    ^bb0(%x: bf16, %y: f32):
      %xq = arith.extf %x : bf16 to f32
      %t = arith.mulf %xq, %scale : f32
      linalg.yield %t : f32 } -> tensor<64x64xf32>
    %vz0 = tensor.empty() : tensor<64xf32>
    %ae0 = tensor.empty() : tensor<64x64xf32>
    %mi = linalg.fill ins(%ninf : f32) outs(%vz0 : tensor<64xf32>) -> tensor<64xf32>
    %li = linalg.fill ins(%z : f32) outs(%vz0 : tensor<64xf32>) -> tensor<64xf32>
    %ai = linalg.fill ins(%z : f32) outs(%ae0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    // Every key below `full` is visible to every row of this tile; none at or
    // past `vis` is visible to any.
    %full0 = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0)>(%p0)[%skv]
    %full1 = affine.apply affine_map<(d0) -> ((d0 floordiv 64) * 64)>(%full0)
    %full = affine.max affine_map<(d0) -> (0, d0)>(%full1)
    %vis0 = affine.min affine_map<(d0)[s0] -> (d0 + 64, s0)>(%p0)[%skv]
    %vis = affine.max affine_map<(d0) -> (0, d0)>(%vis0)
    %f:3 = scf.for %r0 = %c0 to %full step %bn iter_args(%m = %mi, %l = %li, %acc = %ai) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
      %ks = tensor.extract_slice %k[%b, %hk, %r0, 0] [1, 1, 64, 64] [1, 1, 1, 1] : tensor<?x?x?x64xbf16> to tensor<64x64xbf16>
      %vs = tensor.extract_slice %v[%b, %hk, %r0, 0] [1, 1, 64, 64] [1, 1, 1, 1] : tensor<?x?x?x64xbf16> to tensor<64x64xbf16>
      %ke0 = tensor.empty() : tensor<64x64xf32>
      %k32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%ks : tensor<64x64xbf16>) outs(%ke0 : tensor<64x64xf32>) {
      ^bb0(%x: bf16, %y: f32): %e = arith.extf %x : bf16 to f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %ve0 = tensor.empty() : tensor<64x64xf32>
      %v32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%vs : tensor<64x64xbf16>) outs(%ve0 : tensor<64x64xf32>) {
      ^bb0(%x: bf16, %y: f32): %e = arith.extf %x : bf16 to f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %se = tensor.empty() : tensor<64x64xf32>
      %s0 = linalg.fill ins(%z : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
      %s1 = linalg.generic {indexing_maps = [affine_map<(j, i, d) -> (j, d)>, affine_map<(j, i, d) -> (d, i)>, affine_map<(j, i, d) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%k32, %qt : tensor<64x64xf32>, tensor<64x64xf32>) outs(%s0 : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32, %a: f32):
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %a, %p : f32
        linalg.yield %t : f32 } -> tensor<64x64xf32>
      %m1 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%s1 : tensor<64x64xf32>) outs(%m : tensor<64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.maxnumf %x, %y : f32
        linalg.yield %t : f32 } -> tensor<64xf32>
      %ve = tensor.empty() : tensor<64xf32>
      %ms, %al = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1], iterator_types = ["parallel"]} ins(%m, %m1 : tensor<64xf32>, tensor<64xf32>) outs(%ve, %ve : tensor<64xf32>, tensor<64xf32>) {
      ^bb0(%o: f32, %n: f32, %y: f32, %w: f32):
        %c = arith.cmpf oeq, %n, %ninf : f32
        %s = arith.select %c, %z, %n : f32
        %d = arith.subf %o, %s : f32
        %e = math.exp2 %d : f32
        linalg.yield %s, %e : f32, f32 } -> (tensor<64xf32>, tensor<64xf32>)
      %p0s = linalg.generic {indexing_maps = [#id, affine_map<(j, i) -> (i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%s1, %ms : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
      ^bb0(%x: f32, %n: f32, %y: f32):
        %d = arith.subf %x, %n : f32
        %e = math.exp2 %d : f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %l0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%al : tensor<64xf32>) outs(%l : tensor<64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.mulf %x, %y : f32
        linalg.yield %t : f32 } -> tensor<64xf32>
      %l1 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%p0s : tensor<64x64xf32>) outs(%l0 : tensor<64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.addf %y, %x : f32
        linalg.yield %t : f32 } -> tensor<64xf32>
      %prd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p0s : tensor<64x64xf32>) outs(%se : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %d = arith.truncf %x : f32 to bf16
        %e = arith.extf %d : bf16 to f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %a0 = linalg.generic {indexing_maps = [affine_map<(i, e) -> (i)>, affine_map<(i, e) -> (i, e)>], iterator_types = ["parallel", "parallel"]} ins(%al : tensor<64xf32>) outs(%acc : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.mulf %x, %y : f32
        linalg.yield %t : f32 } -> tensor<64x64xf32>
      %a1 = linalg.generic {indexing_maps = [affine_map<(i, e, j) -> (j, i)>, affine_map<(i, e, j) -> (j, e)>, affine_map<(i, e, j) -> (i, e)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%prd, %v32 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%a0 : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32, %a: f32):
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %a, %p : f32
        linalg.yield %t : f32 } -> tensor<64x64xf32>
      scf.yield %m1, %l1, %a1 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %e:3 = scf.for %r0 = %full to %vis step %bn iter_args(%m = %f#0, %l = %f#1, %acc = %f#2) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
      %kv = affine.min affine_map<(d0)[s0] -> (64, s0 - d0)>(%r0)[%skv]
      %pad = affine.apply affine_map<(d0) -> (64 - d0)>(%kv)
      %kd = tensor.extract_slice %k[%b, %hk, %r0, 0] [1, 1, %kv, 64] [1, 1, 1, 1] : tensor<?x?x?x64xbf16> to tensor<?x64xbf16>
      %ks = tensor.pad %kd low[0, 0] high[%pad, 0] { ^bb0(%x: index, %y: index): tensor.yield %zt : bf16 } : tensor<?x64xbf16> to tensor<64x64xbf16>
      %vd = tensor.extract_slice %v[%b, %hk, %r0, 0] [1, 1, %kv, 64] [1, 1, 1, 1] : tensor<?x?x?x64xbf16> to tensor<?x64xbf16>
      %vs = tensor.pad %vd low[0, 0] high[%pad, 0] { ^bb0(%x: index, %y: index): tensor.yield %zt : bf16 } : tensor<?x64xbf16> to tensor<64x64xbf16>
      %ke0 = tensor.empty() : tensor<64x64xf32>
      %k32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%ks : tensor<64x64xbf16>) outs(%ke0 : tensor<64x64xf32>) {
      ^bb0(%x: bf16, %y: f32): %e = arith.extf %x : bf16 to f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %ve0 = tensor.empty() : tensor<64x64xf32>
      %v32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%vs : tensor<64x64xbf16>) outs(%ve0 : tensor<64x64xf32>) {
      ^bb0(%x: bf16, %y: f32): %e = arith.extf %x : bf16 to f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %se = tensor.empty() : tensor<64x64xf32>
      %s0 = linalg.fill ins(%z : f32) outs(%se : tensor<64x64xf32>) -> tensor<64x64xf32>
      %s1 = linalg.generic {indexing_maps = [affine_map<(j, i, d) -> (j, d)>, affine_map<(j, i, d) -> (d, i)>, affine_map<(j, i, d) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%k32, %qt : tensor<64x64xf32>, tensor<64x64xf32>) outs(%s0 : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32, %a: f32):
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %a, %p : f32
        linalg.yield %t : f32 } -> tensor<64x64xf32>
      %s2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%s1 : tensor<64x64xf32>) {
      ^bb0(%x: f32):
        %j = linalg.index 0 : index
        %i = linalg.index 1 : index
        %r = arith.addi %r0, %j : index
        %p = arith.addi %p0, %i : index
        %ca = arith.cmpi sle, %r, %p : index
        %cb = arith.cmpi slt, %j, %kv : index
        %c = arith.andi %ca, %cb : i1
        %t = arith.select %c, %x, %ninf : f32
        linalg.yield %t : f32 } -> tensor<64x64xf32>
      %m1 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%s2 : tensor<64x64xf32>) outs(%m : tensor<64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.maxnumf %x, %y : f32
        linalg.yield %t : f32 } -> tensor<64xf32>
      %ve = tensor.empty() : tensor<64xf32>
      %ms, %al = linalg.generic {indexing_maps = [#id1, #id1, #id1, #id1], iterator_types = ["parallel"]} ins(%m, %m1 : tensor<64xf32>, tensor<64xf32>) outs(%ve, %ve : tensor<64xf32>, tensor<64xf32>) {
      ^bb0(%o: f32, %n: f32, %y: f32, %w: f32):
        %c = arith.cmpf oeq, %n, %ninf : f32
        %s = arith.select %c, %z, %n : f32
        %d = arith.subf %o, %s : f32
        %e = math.exp2 %d : f32
        linalg.yield %s, %e : f32, f32 } -> (tensor<64xf32>, tensor<64xf32>)
      %p0s = linalg.generic {indexing_maps = [#id, affine_map<(j, i) -> (i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%s2, %ms : tensor<64x64xf32>, tensor<64xf32>) outs(%se : tensor<64x64xf32>) {
      ^bb0(%x: f32, %n: f32, %y: f32):
        %d = arith.subf %x, %n : f32
        %e = math.exp2 %d : f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %l0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%al : tensor<64xf32>) outs(%l : tensor<64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.mulf %x, %y : f32
        linalg.yield %t : f32 } -> tensor<64xf32>
      %l1 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%p0s : tensor<64x64xf32>) outs(%l0 : tensor<64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.addf %y, %x : f32
        linalg.yield %t : f32 } -> tensor<64xf32>
      %prd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p0s : tensor<64x64xf32>) outs(%se : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %d = arith.truncf %x : f32 to bf16
        %e = arith.extf %d : bf16 to f32
        linalg.yield %e : f32 } -> tensor<64x64xf32>
      %a0 = linalg.generic {indexing_maps = [affine_map<(i, e) -> (i)>, affine_map<(i, e) -> (i, e)>], iterator_types = ["parallel", "parallel"]} ins(%al : tensor<64xf32>) outs(%acc : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32):
        %t = arith.mulf %x, %y : f32
        linalg.yield %t : f32 } -> tensor<64x64xf32>
      %a1 = linalg.generic {indexing_maps = [affine_map<(i, e, j) -> (j, i)>, affine_map<(i, e, j) -> (j, e)>, affine_map<(i, e, j) -> (i, e)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%prd, %v32 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%a0 : tensor<64x64xf32>) {
      ^bb0(%x: f32, %y: f32, %a: f32):
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %a, %p : f32
        linalg.yield %t : f32 } -> tensor<64x64xf32>
      scf.yield %m1, %l1, %a1 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %fe = tensor.empty() : tensor<64x64xbf16>
    %fo = linalg.generic {indexing_maps = [affine_map<(i, e) -> (i)>, affine_map<(i, e) -> (i, e)>, affine_map<(i, e) -> (i, e)>], iterator_types = ["parallel", "parallel"]} ins(%e#1, %e#2 : tensor<64xf32>, tensor<64x64xf32>) outs(%fe : tensor<64x64xbf16>) {
    ^bb0(%x: f32, %y: f32, %u: bf16):
      %c = arith.cmpf oeq, %x, %z : f32
      %inv = arith.divf %one, %x : f32
      %sel = arith.select %c, %z, %inv : f32
      %w = arith.mulf %y, %sel : f32
      %wt = arith.truncf %w : f32 to bf16
      linalg.yield %wt : bf16 } -> tensor<64x64xbf16>
    %fle = tensor.empty() : tensor<64xf32>
    %fl = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]} ins(%e#0, %e#1 : tensor<64xf32>, tensor<64xf32>) outs(%fle : tensor<64xf32>) {
    ^bb0(%x: f32, %y: f32, %u: f32):
      %lg = math.log2 %y : f32
      %t = arith.addf %x, %lg : f32
      %n = arith.mulf %t, %ln2 : f32
      linalg.yield %n : f32 } -> tensor<64xf32>
    %os = tensor.extract_slice %fo[0, 0] [%rows, 64] [1, 1] : tensor<64x64xbf16> to tensor<?x64xbf16>
    %ls = tensor.extract_slice %fl[0] [%rows] [1] : tensor<64xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %os into %ob[%b, %h, %i0, 0] [1, 1, %rows, 64] [1, 1, 1, 1] : tensor<?x64xbf16> into tensor<?x?x?x64xbf16>
      tensor.parallel_insert_slice %ls into %lb[%b, %h, %i0] [1, 1, %rows] [1, 1, 1] : tensor<?xf32> into tensor<?x?x?xf32>
    }
  }
  bufferization.materialize_in_destination %res#0 in restrict writable %om : (tensor<?x?x?x64xbf16>, memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>) -> ()
  bufferization.materialize_in_destination %res#1 in restrict writable %lm : (tensor<?x?x?xf32>, memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>) -> ()
  return
}
