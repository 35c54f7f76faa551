// Every operation and attribute of the dialect, with each of its optional
// groups, survives printing: custom form, generic form, and the two in turn.

// RUN: attn-opt %s --allow-unregistered-dialect | attn-opt --allow-unregistered-dialect | FileCheck %s
// RUN: attn-opt %s --allow-unregistered-dialect --mlir-print-op-generic | attn-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-DAG: #[[QMAP:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d5)>
// CHECK-DAG: #[[KMAP:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[VMAP:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d4, d6)>

//===----------------------------------------------------------------------===//
// attn.attention
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @plain(
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x8x16xf32>, %[[K:.*]]: tensor<1x1x8x16xf32>, %[[V:.*]]: tensor<1x1x8x24xf32>
func.func @plain(%q: tensor<1x2x8x16xf32>, %k: tensor<1x1x8x16xf32>,
                 %v: tensor<1x1x8x24xf32>) -> tensor<1x2x8x24xf32> {
  // CHECK: attn.attention %[[Q]], %[[K]], %[[V]] : tensor<1x2x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x24xf32> -> tensor<1x2x8x24xf32>
  %out = attn.attention %q, %k, %v
      : tensor<1x2x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x24xf32>
      -> tensor<1x2x8x24xf32>
  return %out : tensor<1x2x8x24xf32>
}

// The default alignment is not printed; the other one is.
// CHECK-LABEL: func @alignment(
func.func @alignment(%q: tensor<?x?x?x16xf16>, %k: tensor<?x?x?x16xf16>)
    -> (tensor<?x?x?x16xf16>, tensor<?x?x?xf32>, tensor<?x?x?x16xf16>) {
  // CHECK: %{{[^ ,)]+}}, %{{[^ ,)]+}} = attn.attention %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} mask(#attn.causal) scale 1.250000e-01 {user.note = "kept"} : tensor<?x?x?x16xf16>, tensor<?x?x?x16xf16>, tensor<?x?x?x16xf16> -> tensor<?x?x?x16xf16>, tensor<?x?x?xf32>
  %out, %lse = attn.attention %q, %k, %k mask (#attn.causal)
      alignment bottom_right scale 0.125 {user.note = "kept"}
      : tensor<?x?x?x16xf16>, tensor<?x?x?x16xf16>, tensor<?x?x?x16xf16>
      -> tensor<?x?x?x16xf16>, tensor<?x?x?xf32>
  // CHECK: attn.attention {{.*}} mask(#attn.causal) alignment top_left :
  %top = attn.attention %q, %k, %k mask (#attn.causal) alignment top_left
      : tensor<?x?x?x16xf16>, tensor<?x?x?x16xf16>, tensor<?x?x?x16xf16>
      -> tensor<?x?x?x16xf16>
  return %out, %lse, %top
      : tensor<?x?x?x16xf16>, tensor<?x?x?xf32>, tensor<?x?x?x16xf16>
}

// Sinks, document ids, prefix lengths and used lengths.
// CHECK-LABEL: func @operands(
func.func @operands(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x8x16xbf16>,
                    %sinks: tensor<4xf32>, %ids: tensor<2x8xi32>,
                    %n: tensor<2xi32>) -> tensor<2x4x8x16xbf16> {
  // CHECK: attn.attention
  // CHECK-SAME: mask(#attn.and<#attn.documents, #attn.or<#attn.prefix, #attn.causal>>)
  // CHECK-SAME: sinks(%{{[^ ,)]+}} : tensor<4xf32>)
  // CHECK-SAME: documents(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<2x8xi32>, tensor<2x8xi32>)
  // CHECK-SAME: prefix(%{{[^ ,)]+}} : tensor<2xi32>)
  // CHECK-SAME: seqused_q(%{{[^ ,)]+}} : tensor<2xi32>) seqused_kv(%{{[^ ,)]+}} : tensor<2xi32>) :
  %out = attn.attention %q, %k, %k
      mask (#attn.and<#attn.documents, #attn.or<#attn.prefix, #attn.causal>>)
      sinks(%sinks : tensor<4xf32>)
      documents(%ids, %ids : tensor<2x8xi32>, tensor<2x8xi32>)
      prefix(%n : tensor<2xi32>)
      seqused_q(%n : tensor<2xi32>) seqused_kv(%n : tensor<2xi32>)
      : tensor<2x4x8x16xbf16>, tensor<2x2x8x16xbf16>, tensor<2x2x8x16xbf16>
      -> tensor<2x4x8x16xbf16>
  return %out : tensor<2x4x8x16xbf16>
}

// Packed operands: `lse` is [heads, total], ids are [1, total].
// CHECK-LABEL: func @packed(
func.func @packed(%q: tensor<?x4x16xbf16>, %k: tensor<?x2x16xbf16>,
                  %cu: tensor<?xi32>, %ids: tensor<1x?xi32>)
    -> (tensor<?x4x16xbf16>, tensor<4x?xf32>) {
  // CHECK: cu_seqlens(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?xi32>, tensor<?xi32>) : tensor<?x4x16xbf16>
  %out, %lse = attn.attention %q, %k, %k mask (#attn.documents)
      documents(%ids, %ids : tensor<1x?xi32>, tensor<1x?xi32>)
      cu_seqlens(%cu, %cu : tensor<?xi32>, tensor<?xi32>)
      : tensor<?x4x16xbf16>, tensor<?x2x16xbf16>, tensor<?x2x16xbf16>
      -> tensor<?x4x16xbf16>, tensor<4x?xf32>
  return %out, %lse : tensor<?x4x16xbf16>, tensor<4x?xf32>
}

// Regions: a capture arrives as an element by its map, or whole.
// CHECK-LABEL: func @regions(
func.func @regions(%q: tensor<1x2x8x16xf32>, %slopes: tensor<2xf32>,
                   %bias: tensor<1x8x8xbf16>, %cap: f32,
                   %table: tensor<?xi1>) -> tensor<1x2x8x16xf32> {
  // CHECK: score(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<2xf32>, tensor<1x8x8xbf16>, f32)
  // CHECK-SAME: score_maps [#{{.*}}, #{{.*}}, #{{.*}}] score_region {
  // CHECK-NEXT: ^bb0(%{{[^ ,)]+}}: f32, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: f32, %{{[^ ,)]+}}: bf16, %{{[^ ,)]+}}: f32):
  // CHECK: attn.yield %{{[^ ,)]+}} : f32
  // CHECK: } visible(%{{[^ ,)]+}} : tensor<?xi1>) visible_maps [#{{.*}}] visible_region {
  // CHECK-NEXT: ^bb0(%{{[^ ,)]+}}: index, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: tensor<?xi1>):
  // CHECK: attn.yield %{{[^ ,)]+}} : i1
  // CHECK: } : tensor<1x2x8x16xf32>
  %out = attn.attention %q, %q, %q mask (#attn.or<#attn.causal, #attn.region>)
      score (%slopes, %bias, %cap : tensor<2xf32>, tensor<1x8x8xbf16>, f32)
      score_maps [affine_map<(b, h, i, j) -> (h)>,
                  affine_map<(b, h, i, j) -> (0, i, j)>,
                  affine_map<(b, h, i, j) -> ()>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index,
           %slope: f32, %bias_ij: bf16, %cap_in: f32):
        %distance = arith.subi %r, %p : index
        %int = arith.index_cast %distance : index to i32
        %far = arith.sitofp %int : i32 to f32
        %alibi = arith.mulf %slope, %far : f32
        %wide = arith.extf %bias_ij : bf16 to f32
        %sum = arith.addf %alibi, %wide : f32
        %biased = arith.addf %s, %sum : f32
        %capped = arith.minimumf %biased, %cap_in : f32
        attn.yield %capped : f32
      }
      visible (%table : tensor<?xi1>)
      visible_maps [affine_map<(b, h, i, j) -> ()>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %t: tensor<?xi1>):
        %seen = tensor.extract %t[%r] : tensor<?xi1>
        attn.yield %seen : i1
      }
      : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>
      -> tensor<1x2x8x16xf32>
  return %out : tensor<1x2x8x16xf32>
}

// Regions without captures need no maps.
// CHECK-LABEL: func @bare_regions(
func.func @bare_regions(%q: tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32> {
  // CHECK: mask(#attn.region) score_region {
  // CHECK: } visible_region {
  %out = attn.attention %q, %q, %q mask (#attn.region)
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %t = math.tanh %s : f32
        attn.yield %t : f32
      }
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %seen = arith.cmpi ne, %p, %r : index
        attn.yield %seen : i1
      }
      : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>
      -> tensor<1x2x8x16xf32>
  return %out : tensor<1x2x8x16xf32>
}

// Every extent may be 0 but the head dimensions; no heads at all is legal.
// CHECK-LABEL: func @nothing(
func.func @nothing(%q: tensor<0x0x0x16xf32>) -> tensor<0x0x0x16xf32> {
  // CHECK: attn.attention
  %out = attn.attention %q, %q, %q
      : tensor<0x0x0x16xf32>, tensor<0x0x0x16xf32>, tensor<0x0x0x16xf32>
      -> tensor<0x0x0x16xf32>
  return %out : tensor<0x0x0x16xf32>
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @attributes()
func.func @attributes() attributes {
    // CHECK-SAME: alignments = [#attn<alignment bottom_right>, #attn<alignment top_left>]
    alignments = [#attn<alignment bottom_right>, #attn<alignment top_left>],
    // CHECK-SAME: dims = [#attn.dim<batch>, #attn.dim<kv_head>, #attn.dim<group>, #attn.dim<query>, #attn.dim<key_split>]
    dims = [#attn.dim<batch>, #attn.dim<kv_head>, #attn.dim<group>,
            #attn.dim<query>, #attn.dim<key_split>],
    // CHECK-SAME: masks = [#attn.causal, #attn.window<left = 1023, right = 0>, #attn.window<left = 4096>, #attn.window<right = 0>, #attn.window_size<512>, #attn.prefix<64>, #attn.prefix<0>, #attn.prefix, #attn.chunked<8192>, #attn.documents, #attn.region,
    // CHECK-SAME: #attn.and<#attn.causal, #attn.documents>, #attn.or<#attn.prefix<64>, #attn.and<#attn.causal>>]
    masks = [#attn.causal, #attn.window<left = 1023, right = 0>,
             #attn.window<left = 4096>, #attn.window<right = 0>,
             #attn.window_size<512>, #attn.prefix<64>, #attn.prefix<0>,
             #attn.prefix, #attn.chunked<8192>, #attn.documents, #attn.region,
             #attn.and<#attn.causal, #attn.documents>,
             #attn.or<#attn.prefix<64>, #attn.and<#attn.causal>>],
    // CHECK-SAME: segments = [#attn.segment<range, full>, #attn.segment<range, partial, descending>, #attn.segment<list, full>, #attn.segment<list, partial, descending>]
    segments = [#attn.segment<range, full, ascending>,
                #attn.segment<range, partial, descending>,
                #attn.segment<list, full>,
                #attn.segment<list, partial, descending>]} {
  return
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @neutral(
func.func @neutral(%n: index) -> (tensor<1x8x4x64xf32>, tensor<?x8x?x64xf32>) {
  // CHECK: %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} = attn.neutral : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
  %m, %l, %acc = attn.neutral
      : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
  // CHECK: attn.neutral[%{{[^ ,)]+}}, %{{[^ ,)]+}}] : tensor<?x8x?x64xf32>, tensor<?x8x?x64x128xf32>
  %m2, %l2, %acc2 = attn.neutral [%n, %n]
      : tensor<?x8x?x64xf32>, tensor<?x8x?x64x128xf32>
  return %m, %m2 : tensor<1x8x4x64xf32>, tensor<?x8x?x64xf32>
}

#q = affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>
#k = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>
#v = affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>

// CHECK-LABEL: func @partial(
func.func @partial(%q: tensor<1x8x4x64x64xf32>, %k: tensor<1x8x32x64xf32>,
                   %m: tensor<1x8x4x64xf32>, %l: tensor<1x8x4x64xf32>,
                   %acc: tensor<1x8x4x64x64xf32>, %n: index, %masked: i1)
    -> tensor<1x8x4x64x64xf32> {
  // CHECK: %[[M:[^ ]+]], %[[L:[^ ]+]], %[[ACC:[^ ]+]] = attn.partial %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} into(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}) origin[%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}] group_size %{{[^ ,)]+}} scale 1.250000e-01 maps [#[[QMAP]], #[[KMAP]], #[[VMAP]]] : tensor<1x8x4x64x64xf32>, tensor<1x8x32x64xf32>, tensor<1x8x32x64xf32> -> tensor<1x8x4x64xf32>, tensor<1x8x4x64x64xf32>
  %first:3 = attn.partial %q, %k, %k into (%m, %l, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n scale 0.125
      maps [#q, #k, #v]
      : tensor<1x8x4x64x64xf32>, tensor<1x8x32x64xf32>, tensor<1x8x32x64xf32>
      -> tensor<1x8x4x64xf32>, tensor<1x8x4x64x64xf32>
  // CHECK: attn.partial {{.*}} into(%[[M]], %[[L]], %[[ACC]])
  // CHECK-SAME: valid %{{[^ ,)]+}} masked %{{[^ ,)]+}} mask(#attn.causal) scale
  %second:3 = attn.partial %q, %k, %k into (%first#0, %first#1, %first#2)
      origin [%n, %n, %n, %n, %n] group_size %n valid %n masked %masked
      mask (#attn.causal) scale 0.125 maps [#q, #k, #v]
      : tensor<1x8x4x64x64xf32>, tensor<1x8x32x64xf32>, tensor<1x8x32x64xf32>
      -> tensor<1x8x4x64xf32>, tensor<1x8x4x64x64xf32>
  return %second#2 : tensor<1x8x4x64x64xf32>
}

// Operands may be laid out in any order, and lack outer dimensions.
// CHECK-LABEL: func @partial_everything(
func.func @partial_everything(%q: tensor<64x?x64xbf16>, %k: tensor<?x64xbf16>,
    %v: tensor<32x?x1x?xbf16>, %m: tensor<?x?x?x?xf32>, %acc: tensor<?x?x?x?x32xf32>,
    %bias: tensor<?x?xf32>, %ids: tensor<?x?xi32>, %prefix: tensor<?xi32>,
    %keep: tensor<?x?xi1>, %n: index) -> tensor<?x?x?x?xf32> {
  // CHECK: attn.partial
  // CHECK-SAME: mask(#attn.and<#attn.documents, #attn.prefix, #attn.region>)
  // CHECK-SAME: score(%{{[^ ,)]+}} : tensor<?x?xf32>) score_maps [#{{.*}}] score_region {
  // CHECK: } visible(%{{[^ ,)]+}} : tensor<?x?xi1>) visible_maps [#{{.*}}] visible_region {
  // CHECK: } documents(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?x?xi32>, tensor<?x?xi32>) prefix(%{{[^ ,)]+}} : tensor<?xi32>) {tag} :
  %state:3 = attn.partial %q, %k, %v into (%m, %m, %acc)
      origin [%n, %n, %n, %n, %n] group_size %n
      mask (#attn.and<#attn.documents, #attn.prefix, #attn.region>) scale 1.0
      maps [affine_map<(b, h, g, i, j, d, e) -> (d, i, g)>,
            affine_map<(b, h, g, i, j, d, e) -> (j, d)>,
            affine_map<(b, h, g, i, j, d, e) -> (e, j, h, b)>]
      score (%bias : tensor<?x?xf32>)
      score_maps [affine_map<(b, h, g, i, j) -> (g, h)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %x: f32):
        %t = arith.addf %s, %x : f32
        attn.yield %t : f32
      }
      visible (%keep : tensor<?x?xi1>)
      visible_maps [affine_map<(b, h, g, i, j) -> (i, j)>]
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index, %x: i1):
        attn.yield %x : i1
      }
      documents (%ids, %ids : tensor<?x?xi32>, tensor<?x?xi32>)
      prefix (%prefix : tensor<?xi32>) {tag}
      : tensor<64x?x64xbf16>, tensor<?x64xbf16>, tensor<32x?x1x?xbf16>
      -> tensor<?x?x?x?xf32>, tensor<?x?x?x?x32xf32>
  return %state#0 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: func @merge(
func.func @merge(%m: tensor<1x8x4x?xf32>, %acc: tensor<1x8x4x?x128xf32>)
    -> tensor<1x8x4x?xf32> {
  // CHECK: attn.merge(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}), (%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}) : tensor<1x8x4x?xf32>, tensor<1x8x4x?x128xf32>
  %state:3 = attn.merge (%m, %m, %acc), (%m, %m, %acc)
      : tensor<1x8x4x?xf32>, tensor<1x8x4x?x128xf32>
  return %state#0 : tensor<1x8x4x?xf32>
}

// CHECK-LABEL: func @finalize(
func.func @finalize(%m: tensor<1x8x4x64xf32>, %acc: tensor<1x8x4x64x128xf32>,
                    %o: tensor<1x8x4x64x128xf32>, %flat: tensor<128x64x8x4xbf16>,
                    %sinks: tensor<8x4xbf16>)
    -> (tensor<1x8x4x64x128xf32>, tensor<128x64x8x4xbf16>, tensor<1x8x4x64xf32>) {
  // CHECK: attn.finalize(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}) into(%{{[^ ,)]+}}) : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32> -> tensor<1x8x4x64x128xf32>
  %out = attn.finalize (%m, %m, %acc) into (%o)
      : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
      -> tensor<1x8x4x64x128xf32>
  // CHECK: attn.finalize(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}) into(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<1x8x4x64xf32>)
  // CHECK-SAME: sinks(%{{[^ ,)]+}} : tensor<8x4xbf16>) out_map #{{[^ ]+}} : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32> -> tensor<128x64x8x4xbf16>, tensor<1x8x4x64xf32>
  %out2, %lse = attn.finalize (%m, %m, %acc)
      into (%flat, %m : tensor<1x8x4x64xf32>) sinks (%sinks : tensor<8x4xbf16>)
      out_map affine_map<(b, h, g, i, e) -> (e, i, h, g)>
      : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
      -> tensor<128x64x8x4xbf16>, tensor<1x8x4x64xf32>
  return %out, %out2, %lse
      : tensor<1x8x4x64x128xf32>, tensor<128x64x8x4xbf16>, tensor<1x8x4x64xf32>
}

//===----------------------------------------------------------------------===//
// attn.walk
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @walk(
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: index
func.func @walk(%n: index, %a: index, %list: tensor<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  // CHECK: %[[SUM:.*]] = attn.walk %[[N]] by 64 segments [#attn.segment<range, full>, #attn.segment<list, partial, descending>] bounds(%{{[^ ,)]+}}, %[[A]], %[[A]], %[[N]]) lists(%{{[^ ,)]+}} : tensor<?xi32>) init(%{{[^ ,)]+}} : index) {
  // CHECK-NEXT: ^bb0(%{{[^ ,)]+}}: index, %[[VALID:.*]]: index, %{{[^ ,)]+}}: i1, %[[STATE:.*]]: index):
  // CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[STATE]], %[[VALID]] : index
  // CHECK-NEXT:   attn.yield %[[NEXT]] : index
  %sum = attn.walk %n by 64
      segments [#attn.segment<range, full>,
                #attn.segment<list, partial, descending>]
      bounds (%c0, %a, %a, %n) lists (%list : tensor<?xi32>)
      init (%c0 : index) {
  ^bb0(%start: index, %valid: index, %masked: i1, %sum: index):
    %next = arith.addi %sum, %valid : index
    attn.yield %next : index
  }
  // CHECK: return %[[SUM]]
  return %sum : index
}

// A walk may carry nothing; its terminator is then implied.
// CHECK-LABEL: func @walk_without_state(
func.func @walk_without_state(%n: index) {
  // CHECK: attn.walk %{{[^ ,)]+}} by 1 segments [#attn.segment<range, partial>] bounds(%{{[^ ,)]+}}, %{{[^ ,)]+}}) {
  // CHECK-NEXT: ^bb0(%{{[^ ,)]+}}: index, %{{[^ ,)]+}}: index, %{{[^ ,)]+}}: i1):
  // CHECK-NEXT:   "test.use"
  // CHECK:      }
  attn.walk %n by 1 segments [#attn.segment<range, partial>] bounds (%n, %n) {
  ^bb0(%start: index, %valid: index, %masked: i1):
    "test.use"(%start) : (index) -> ()
  }
  // CHECK: attn.walk %[[N:[^ ,)]+]] by 7 segments [] bounds() {
  attn.walk %n by 7 segments [] bounds () {
  ^bb0(%start: index, %valid: index, %masked: i1):
  }
  return
}

//===----------------------------------------------------------------------===//
// #attn.schedule
//===----------------------------------------------------------------------===//

// Parameters that say what is said without them are not printed.
// CHECK-LABEL: func private @schedules()
// CHECK-SAME: all = #attn.schedule<query_tile = 192, key_tile = 80, stages = 3, work = "strided", turns = false, flatten = false, lazy_rescale = true, queries_in_registers = true>
// CHECK-SAME: defaults = #attn.schedule<query_tile = 128, key_tile = 64>
func.func private @schedules() attributes {
  all = #attn.schedule<query_tile = 192, key_tile = 80, stages = 3, work = "strided",
      turns = false, flatten = false, lazy_rescale = true, queries_in_registers = true>,
  defaults = #attn.schedule<query_tile = 128, key_tile = 64, stages = 2,
      work = "dynamic", turns = true, flatten = true, lazy_rescale = false,
      queries_in_registers = false>
}
