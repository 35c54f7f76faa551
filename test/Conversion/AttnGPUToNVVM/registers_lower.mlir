// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --split-input-file | FileCheck %s
// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=RANGE

// Elementwise operations keep their names; each thread has its elements.

// CHECK-LABEL: llvm.func @elementwise(
// CHECK:         %[[X:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
// CHECK:         %[[C:.*]] = arith.constant dense<2.000000e+00> : vector<8xf32>
// CHECK:         %[[F:.*]] = math.fma %[[X]], %[[C]], %[[X]] fastmath<contract> : vector<8xf32>
// CHECK:         %[[LESS:.*]] = arith.cmpf olt, %[[F]], %[[C]] : vector<8xf32>
// CHECK:         %[[S:.*]] = arith.select %[[LESS]], %[[F]], %[[C]] : vector<8xi1>, vector<8xf32>
// CHECK:         arith.truncf %[[S]] : vector<8xf32> to vector<8xbf16>
attn_gpu.kernel @elementwise(%value: f32, %to: memref<64x16xbf16>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = vector.broadcast %value : f32 to vector<64x16xf32>
  %c = arith.constant dense<2.0> : vector<64x16xf32>
  %f = math.fma %x, %c, %x fastmath<contract> : vector<64x16xf32>
  %less = arith.cmpf olt, %f, %c : vector<64x16xf32>
  %s = arith.select %less, %f, %c : vector<64x16xi1>, vector<64x16xf32>
  %y = arith.truncf %s : vector<64x16xf32> to vector<64x16xbf16>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x16xbf16>, memref<64x16xbf16>
  attn_gpu.return
}

// -----

// Functions without an instruction of LLVM's, or with a slower one.

// CHECK-LABEL: llvm.func @functions(
// CHECK:         math.exp2 %{{.*}} : vector<2xf32>
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%{{.*}}) : (f32) -> f32
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.div.full.ftz"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"
// CHECK-NOT:     call_intrinsic
attn_gpu.kernel @functions(%value: f32, %to: memref<64x1xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = vector.broadcast %value : f32 to vector<64x1xf32>
  %e = math.exp2 %x : vector<64x1xf32>
  %l = math.log2 %e : vector<64x1xf32>
  %d = arith.divf %l, %x : vector<64x1xf32>
  %s = math.log2 %value : f32
  %ss = vector.broadcast %s : f32 to vector<64x1xf32>
  %y = arith.addf %d, %ss : vector<64x1xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32>
  attn_gpu.return
}

// -----

// Broadcasts stay inside a thread.

// CHECK-LABEL: llvm.func @broadcasts(
// CHECK:         %[[I:.*]] = arith.addi %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK:         %[[J:.*]] = arith.addi %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK:         vector.shuffle %[[I]], %[[I]] [0, 0, 1, 1, 0, 0, 1, 1] : vector<2xi32>, vector<2xi32>
// CHECK:         vector.shuffle %[[J]], %[[J]] [0, 1, 0, 1, 2, 3, 2, 3] : vector<4xi32>, vector<4xi32>
// CHECK:         arith.sitofp %[[I]] : vector<2xi32> to vector<2xf32>
// CHECK-NOT:     vector.shuffle
attn_gpu.kernel @broadcasts(%to: memref<64x16xf32>, %rows: memref<64x1xf32>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %i = attn_gpu.iota : vector<64x1xi32>
  %j = attn_gpu.iota : vector<1x16xi32>
  %is = vector.broadcast %i : vector<64x1xi32> to vector<64x16xi32>
  %js = vector.broadcast %j : vector<1x16xi32> to vector<64x16xi32>
  %n = arith.addi %is, %js : vector<64x16xi32>
  %x = arith.sitofp %n : vector<64x16xi32> to vector<64x16xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x16xf32>, memref<64x16xf32>
  %quads = vector.broadcast %i : vector<64x1xi32> to vector<64x4xi32>
  %q = arith.sitofp %quads : vector<64x4xi32> to vector<64x4xf32>
  %r = attn_gpu.row_reduce <add> %q : vector<64x4xf32> -> vector<64x1xf32>
  attn_gpu.write %r to %rows[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32>
  attn_gpu.return
}

// -----

// Rows are 16 of a warp, 8 apart in a thread; columns two of a quad's lane.

// CHECK-LABEL: llvm.func @numbers(
// CHECK:         %[[ROW:.*]] = arith.index_castui %{{.*}} : i32 to index
// CHECK:         %[[ROWS:.*]] = vector.broadcast %[[ROW]] : index to vector<2xindex>
// CHECK:         %[[STEPS:.*]] = arith.constant dense<[0, 8]> : vector<2xindex>
// CHECK:         arith.addi %[[ROWS]], %[[STEPS]] : vector<2xindex>
// CHECK:         arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
attn_gpu.kernel @numbers(%to: memref<64x16xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %i = attn_gpu.iota : vector<64x1xindex>
  %j = attn_gpu.iota : vector<1x16xi32>
  %i32 = arith.index_cast %i : vector<64x1xindex> to vector<64x1xi32>
  %is = vector.broadcast %i32 : vector<64x1xi32> to vector<64x16xi32>
  %js = vector.broadcast %j : vector<1x16xi32> to vector<64x16xi32>
  %n = arith.addi %is, %js : vector<64x16xi32>
  %x = arith.sitofp %n : vector<64x16xi32> to vector<64x16xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x16xf32>, memref<64x16xf32>
  attn_gpu.return
}

// -----

// A row's elements in four chains, then the chains, then the quad.

// CHECK-LABEL: llvm.func @reduces(
// CHECK:         %[[E:.*]]:16 = vector.to_elements %{{.*}} : vector<16xf32>
// CHECK:         %[[A:.*]] = arith.maxnumf %[[E]]#0, %[[E]]#8 : f32
// CHECK:         %[[B:.*]] = arith.maxnumf %[[E]]#1, %[[E]]#9 : f32
// CHECK:         %[[C:.*]] = arith.maxnumf %[[E]]#4, %[[E]]#12 : f32
// CHECK:         %[[D:.*]] = arith.maxnumf %[[E]]#5, %[[E]]#13 : f32
// CHECK:         %[[AC:.*]] = arith.maxnumf %[[A]], %[[C]] : f32
// CHECK:         %[[BD:.*]] = arith.maxnumf %[[B]], %[[D]] : f32
// CHECK:         %[[ROW0:.*]] = arith.maxnumf %[[AC]], %[[BD]] : f32
// CHECK-COUNT-7: arith.maxnumf
// CHECK:         %[[PAIR:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[ROW0]], %[[ONE:.*]], %{{.*}} : f32 -> f32
// CHECK:         arith.maxnumf %[[ROW0]], %[[PAIR]] : f32
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl.sync
// CHECK:         arith.addf
attn_gpu.kernel @reduces(%value: f32, %to: memref<64x1xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = vector.broadcast %value : f32 to vector<64x32xf32>
  %m = attn_gpu.row_reduce <maxnumf> %x : vector<64x32xf32> -> vector<64x1xf32>
  attn_gpu.write %m to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32>
  %l = attn_gpu.row_reduce <add> %x : vector<64x32xf32> -> vector<64x4xf32>
  %two = arith.constant dense<2.0> : vector<64x4xf32>
  %p = arith.mulf %l, %two : vector<64x4xf32>
  attn_gpu.return
}

// -----

// Loops and branches carry what a thread holds.

// CHECK-LABEL: llvm.func @control(
// CHECK:         scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf32>)
// CHECK:         scf.if %{{.*}} -> (vector<8xf32>)
// CHECK:         scf.while ({{.*}}) : (vector<8xf32>) -> vector<8xf32>
attn_gpu.kernel @control(%to: memref<64x16xf32>, %n: index, %more: i1) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : vector<64x16xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (vector<64x16xf32>) {
    %t = arith.addf %s, %x : vector<64x16xf32>
    scf.yield %t : vector<64x16xf32>
  }
  %y = scf.if %more -> (vector<64x16xf32>) {
    scf.yield %sum : vector<64x16xf32>
  } else {
    scf.yield %x : vector<64x16xf32>
  }
  %z = scf.while (%v = %y) : (vector<64x16xf32>) -> vector<64x16xf32> {
    scf.condition(%more) %v : vector<64x16xf32>
  } do {
  ^bb0(%v: vector<64x16xf32>):
    scf.yield %v : vector<64x16xf32>
  }
  attn_gpu.write %z to %to[%c0, %c0] : vector<64x16xf32>, memref<64x16xf32>
  attn_gpu.return
}

// -----

// Divisions that round are expanded.

// CHECK-LABEL: llvm.func @divisions(
// CHECK-NOT:     arith.ceildiv
// CHECK:         arith.maxnumf %{{.*}} : vector<2xf32>
attn_gpu.kernel @divisions(%to: memref<64x1xf32>, %n: index, %value: f32)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %tiles = arith.ceildivsi %n, %c64 : index
  %x = arith.constant dense<1.0> : vector<64x1xf32>
  %v = vector.broadcast %value : f32 to vector<64x1xf32>
  %m = arith.maxnumf %v, %x : vector<64x1xf32>
  attn_gpu.write %m to %to[%tiles, %c0] : vector<64x1xf32>, memref<64x1xf32>
  attn_gpu.return
}

// -----

// Columns are compared as constants: what depends on the thread, a shift and a
// row's value are on the other side, in 64 bits, then within [-1, 16].

// CHECK-LABEL: llvm.func @column_masks(
// CHECK-SAME:    %[[SHIFT:[^:]*]]: i32, %[[VALID:[^:]*]]: i32,
// CHECK:         %[[SHIFT64:.*]] = arith.extsi %[[SHIFT]] : i32 to i64
// CHECK:         %[[FROM:.*]] = arith.addi %{{.*}}, %[[SHIFT64]] : i64
// CHECK:         %[[ROW:.*]]:2 = vector.to_elements
// CHECK:         %[[ROW64:.*]] = arith.extsi %[[ROW]]#0 : i32 to i64
// CHECK:         %[[LEFT:.*]] = arith.subi %[[ROW64]], %[[FROM]] : i64
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[LEFT]], %c-1_i64{{.*}} : i64
// CHECK:         %[[IN:.*]] = arith.minsi %[[LOW]], %c16_i64{{.*}} : i64
// CHECK:         %[[IN32:.*]] = arith.trunci %[[IN]] : i64 to i32
// So that nothing is compared before the loop around, and kept.
// CHECK:         %[[FIRST:.*]] = llvm.inline_asm has_side_effects {{.*}}"mov.b32 $0, $1;", {{.*}} %[[IN32]] :
// CHECK:         %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
// CHECK:         %[[LIMITS:.*]] = vector.from_elements %[[FIRST]], %[[FIRST]], %[[SECOND:.*]], %[[SECOND]], %[[FIRST]], %[[FIRST]], %[[SECOND]], %[[SECOND]] :
// CHECK:         arith.cmpi sle, %[[COLUMNS]], %[[LIMITS]] : vector<8xi32>
// CHECK:         arith.extsi %[[VALID]] : i32 to i64
// CHECK:         %[[NUMBERS:.*]] = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
// CHECK:         %[[BOUND:.*]] = vector.from_elements %[[END:.*]], %[[END]], %[[END]], %[[END]] :
// CHECK:         arith.cmpi slt, %[[NUMBERS]], %[[BOUND]] : vector<4xi32>
attn_gpu.kernel @column_masks(%shift: i32, %valid: i32, %to: memref<?x16xf32>)
    warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x16xf32>
  %z = arith.constant dense<0.0> : vector<64x16xf32>
  %row = attn_gpu.iota : vector<64x1xi32>
  %rows = vector.broadcast %row : vector<64x1xi32> to vector<64x16xi32>
  %number = attn_gpu.iota : vector<1x16xi32>
  %from = vector.broadcast %shift : i32 to vector<1x16xi32>
  %column = arith.addi %from, %number overflow<nsw> : vector<1x16xi32>
  %columns = vector.broadcast %column : vector<1x16xi32> to vector<64x16xi32>
  %seen = arith.cmpi sle, %columns, %rows : vector<64x16xi32>
  %end = vector.broadcast %valid : i32 to vector<1x16xi32>
  %exists = arith.cmpi sgt, %end, %number : vector<1x16xi32>
  %all = vector.broadcast %exists : vector<1x16xi1> to vector<64x16xi1>
  %visible = arith.ori %seen, %all : vector<64x16xi1>
  %y = arith.select %visible, %x, %z : vector<64x16xi1>, vector<64x16xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x16xf32>, memref<?x16xf32>
  attn_gpu.return
}

// -----

// A sum that may wrap around is compared as it is, and so are numbers that are
// not negative.

// CHECK-LABEL: llvm.func @wrapping(
// CHECK-NOT:     arith.maxsi
// CHECK:         arith.cmpi sle
// CHECK-NOT:     arith.maxsi
// CHECK:         arith.cmpi ult
attn_gpu.kernel @wrapping(%shift: i32, %to: memref<?x16xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x16xf32>
  %z = arith.constant dense<0.0> : vector<64x16xf32>
  %row = attn_gpu.iota : vector<64x1xi32>
  %rows = vector.broadcast %row : vector<64x1xi32> to vector<64x16xi32>
  %number = attn_gpu.iota : vector<1x16xi32>
  %from = vector.broadcast %shift : i32 to vector<1x16xi32>
  %column = arith.addi %from, %number : vector<1x16xi32>
  %columns = vector.broadcast %column : vector<1x16xi32> to vector<64x16xi32>
  %seen = arith.cmpi sle, %columns, %rows : vector<64x16xi32>
  %numbers = vector.broadcast %number : vector<1x16xi32> to vector<64x16xi32>
  %low = arith.cmpi ult, %numbers, %rows : vector<64x16xi32>
  %visible = arith.andi %seen, %low : vector<64x16xi1>
  %y = arith.select %visible, %x, %z : vector<64x16xi1>, vector<64x16xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x16xf32>, memref<?x16xf32>
  attn_gpu.return
}

// -----

// Several conditions on columns that must all hold are one comparison from above,
// with the least of their bounds for each row, and one from below: here causal,
// keys that exist, and a window to the left. A bound that is itself inside is one
// further out.

// RANGE-LABEL: llvm.func @column_range(
// RANGE-SAME:    %[[SHIFT:[^:]*]]: i32, %[[VALID:[^:]*]]: i32, %[[LEFT:[^:]*]]: i32,
// RANGE-DAG:     %[[ONE:.*]] = arith.constant 1 : i64
// RANGE-DAG:     %[[MINUS:.*]] = arith.constant -1 : i64
// RANGE-DAG:     %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 0, 1, 8, 9, 8, 9]> : vector<8xi32>
// RANGE:         %[[ROW:.*]]:2 = vector.to_elements
// RANGE:         %[[ROW0:.*]] = arith.extsi %[[ROW]]#0
// RANGE:         %[[SEEN0:.*]] = arith.subi %[[ROW0]], %[[FROM:.*]] : i64
// RANGE:         %[[ROW1:.*]] = arith.extsi %[[ROW]]#1
// RANGE:         %[[SEEN1:.*]] = arith.subi %[[ROW1]], %[[FROM]] : i64
// RANGE:         %[[END0:.*]] = arith.addi %[[SEEN0]], %[[ONE]] : i64
// RANGE:         %[[END1:.*]] = arith.addi %[[SEEN1]], %[[ONE]] : i64
// RANGE:         %[[VALID64:.*]] = arith.extsi %[[VALID]] : i32 to i64
// RANGE:         %[[EXISTS:.*]] = arith.subi %[[VALID64]], %{{.*}} : i64
// RANGE:         arith.minsi %[[END0]], %[[EXISTS]] : i64
// RANGE-NEXT:    arith.minsi %[[END1]], %[[EXISTS]] : i64
// RANGE:         %[[LIMITS:.*]] = vector.from_elements %[[FIRST:.*]], %[[FIRST]], %[[SECOND:.*]], %[[SECOND]], %[[FIRST]], %[[FIRST]], %[[SECOND]], %[[SECOND]] :
// RANGE-NEXT:    %[[BELOW:.*]] = arith.cmpi sgt, %[[LIMITS]], %[[COLUMNS]] : vector<8xi32>
// RANGE:         arith.subi %{{.*}}, %[[FROM]] : i64
// RANGE:         arith.addi %{{.*}}, %[[MINUS]] : i64
// RANGE:         %[[ABOVE:.*]] = arith.cmpi slt, %{{.*}}, %[[COLUMNS]] : vector<8xi32>
// RANGE-NEXT:    %[[VISIBLE:.*]] = arith.andi %[[BELOW]], %[[ABOVE]] : vector<8xi1>
// RANGE-NOT:     arith.cmpi {{.*}} : vector
// RANGE:         arith.select %[[VISIBLE]]
attn_gpu.kernel @column_range(%shift: i32, %valid: i32, %left: i32,
                              %to: memref<?x16xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x16xf32>
  %z = arith.constant dense<0.0> : vector<64x16xf32>
  %row = attn_gpu.iota : vector<64x1xi32>
  %number = attn_gpu.iota : vector<1x16xi32>
  %from = vector.broadcast %shift : i32 to vector<1x16xi32>
  %column = arith.addi %from, %number overflow<nsw> : vector<1x16xi32>
  %columns = vector.broadcast %column : vector<1x16xi32> to vector<64x16xi32>
  %rows = vector.broadcast %row : vector<64x1xi32> to vector<64x16xi32>
  %seen = arith.cmpi sle, %columns, %rows : vector<64x16xi32>
  %end = vector.broadcast %valid : i32 to vector<1x16xi32>
  %exists = arith.cmpi slt, %number, %end : vector<1x16xi32>
  %all = vector.broadcast %exists : vector<1x16xi1> to vector<64x16xi1>
  %both = arith.andi %seen, %all : vector<64x16xi1>
  %lefts = vector.broadcast %left : i32 to vector<64x1xi32>
  %first = arith.subi %row, %lefts overflow<nsw> : vector<64x1xi32>
  %firsts = vector.broadcast %first : vector<64x1xi32> to vector<64x16xi32>
  %near = arith.cmpi sge, %columns, %firsts : vector<64x16xi32>
  %visible = arith.andi %both, %near : vector<64x16xi1>
  %y = arith.select %visible, %x, %z : vector<64x16xi1>, vector<64x16xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x16xf32>, memref<?x16xf32>
  attn_gpu.return
}

// -----

// What is no comparison of columns, an equality, a value of rows, joins the one that
// is left.

// RANGE-LABEL: llvm.func @column_range_and_others(
// RANGE:         %[[EQUAL:.*]] = arith.cmpi eq, %{{.*}} : vector<8xi32>
// RANGE:         arith.minsi
// RANGE:         %[[BELOW:.*]] = arith.cmpi sgt, %{{.*}} : vector<8xi32>
// RANGE-NEXT:    %[[ALL:.*]] = arith.andi %[[EQUAL]], %[[BELOW]] : vector<8xi1>
// RANGE-NOT:     arith.cmpi {{.*}} : vector
// RANGE:         arith.select %[[ALL]]
attn_gpu.kernel @column_range_and_others(%a: i32, %b: i32, %c: i32,
                                         %to: memref<?x16xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : vector<64x16xf32>
  %z = arith.constant dense<0.0> : vector<64x16xf32>
  %number = attn_gpu.iota : vector<1x16xi32>
  %numbers = vector.broadcast %number : vector<1x16xi32> to vector<64x16xi32>
  %as = vector.broadcast %a : i32 to vector<64x16xi32>
  %bs = vector.broadcast %b : i32 to vector<64x16xi32>
  %row = attn_gpu.iota : vector<64x1xi32>
  %rows = vector.broadcast %row : vector<64x1xi32> to vector<64x16xi32>
  %cs = vector.broadcast %c : i32 to vector<64x16xi32>
  %below_a = arith.cmpi slt, %numbers, %as : vector<64x16xi32>
  %equal = arith.cmpi eq, %rows, %cs : vector<64x16xi32>
  %below_b = arith.cmpi sge, %bs, %numbers : vector<64x16xi32>
  %some = arith.andi %below_a, %equal : vector<64x16xi1>
  %all = arith.andi %some, %below_b : vector<64x16xi1>
  %y = arith.select %all, %x, %z : vector<64x16xi1>, vector<64x16xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x16xf32>, memref<?x16xf32>
  attn_gpu.return
}

// -----

// Rows are scaled where some row of the warp has a factor that is not 1; a NaN is
// not 1. All threads of the warp decide alike.

// CHECK-LABEL: llvm.func @scale_rows(
// CHECK:         %[[FACTORS:.*]] = math.exp2 %{{.*}} : vector<2xf32>
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[F:.*]]:2 = vector.to_elements %[[FACTORS]]
// CHECK:         %[[MOVED0:.*]] = arith.cmpf une, %[[F]]#0, %[[ONE]]
// CHECK:         %[[MOVED1:.*]] = arith.cmpf une, %[[F]]#1, %[[ONE]]
// CHECK:         %[[MOVED:.*]] = arith.ori %[[MOVED0]], %[[MOVED1]] : i1
// CHECK:         %[[ALL:.*]] = arith.constant -1 : i32
// CHECK:         %[[ANY:.*]] = nvvm.vote.sync any %[[ALL]], %[[MOVED]] -> i1
// CHECK:         %[[SCALED:.*]] = scf.if %[[ANY]] -> (vector<8xf32>) {
// CHECK-NEXT:      %[[ROWS:.*]] = vector.shuffle %[[FACTORS]], %[[FACTORS]] [0, 0, 1, 1, 0, 0, 1, 1]
// CHECK-NEXT:      %[[PRODUCT:.*]] = arith.mulf %[[X:.*]], %[[ROWS]] : vector<8xf32>
// CHECK-NEXT:      scf.yield %[[PRODUCT]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[X]]
// `always` takes no vote.
// CHECK-NOT:     vote
// CHECK:         %[[ROWS2:.*]] = vector.shuffle %[[FACTORS]], %[[FACTORS]] [0, 0, 1, 1, 0, 0, 1, 1]
// CHECK-NEXT:    arith.mulf %[[SCALED]], %[[ROWS2]] : vector<8xf32>
// CHECK-NOT:     vote
attn_gpu.kernel @scale_rows(%value: f32, %to: memref<64x16xf32>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %x = vector.broadcast %value : f32 to vector<64x16xf32>
  %v = vector.broadcast %value : f32 to vector<64x1xf32>
  %f = math.exp2 %v : vector<64x1xf32>
  %y = attn_gpu.scale_rows %x by %f : vector<64x16xf32>, vector<64x1xf32>
  %z = attn_gpu.scale_rows %y by %f always : vector<64x16xf32>, vector<64x1xf32>
  attn_gpu.write %z to %to[%c0, %c0] : vector<64x16xf32>, memref<64x16xf32>
  attn_gpu.return
}

// -----

// A store to a word of its own, which a sum of weights never makes: below 0.

// CHECK-LABEL: llvm.func @make_now(
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 4 : i64
// CHECK:         %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:         setp.lt.f32 p, $0, 0f00000000;\0A@p st.volatile.shared.f32 [$1], $0;{{.*}} %[[SUM]], %{{.*}} : (f32, !llvm.ptr<3>) -> ()
attn_gpu.kernel @make_now(%x: f32, %y: f32) warpgroups 1 {
  %l = vector.broadcast %x : f32 to vector<64x4xf32>
  attn_gpu.make_now %l : vector<64x4xf32>
  attn_gpu.return
}
