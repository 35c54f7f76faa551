//===- AttnStateOps.td - The monoid ------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state (m, l, acc) of online softmax and what can be done with it:
// neutral, partial, merge, finalize.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNSTATEOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNSTATEOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

def Attn_NeutralOp : Attn_Op<"neutral", [
    Pure, AllTypesMatch<["m", "l"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>
  ]> {
  let summary = "The state that has seen no key";
  let description = [{
    `(m, l, acc) = (-inf, 0, 0)`. The operands are the dynamic extents of `acc`,
    in order; `m` and `l` have the shape of `acc` without its last dimension.

    Constraints:
    * C1: `m` and `l` have one type, and it is `acc` without the last dimension;
      all are ranked f32 tensors without encoding.
    * C2: as many operands as `acc` has dynamic extents.

    Created by `attn-decompose-attention` and by fusion into query tiles;
    `convert-attn-to-linalg` consumes it.

    ```mlir
    %m, %l, %acc = attn.neutral
        : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents);
  let results = (outs Attn_Tensor:$m, Attn_Tensor:$l,
                      Attn_Tensor:$acc);
  let assemblyFormat = [{
    (`[` $extents^ `]`)? attr-dict `:` type($m) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def Attn_PartialOp : Attn_Op<"partial", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove,
    AllTypesMatch<["m", "l", "new_m", "new_l"]>,
    AllTypesMatch<["acc", "new_acc"]>,
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<TilingInterface,
      ["getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
       "getResultTilePosition", "generateResultTileValue",
       "getIterationDomainTileFromResultTile"]>,
    DeclareOpInterfaceMethods<PartialReductionOpInterface,
      ["generateInitialTensorForPartialReduction", "tileToPartialReduction",
       "mergeReductions", "getPartialResultTilePosition"]>
  ]> {
  let summary = "Folds a piece of keys into the state of every query row";
  let description = [{
    Over the domain `(b, kv_head, group, i, j)`, `j` being the reduction:

    ```
    s    = score(scale * sum_d q[b,kv,g,i,d] * k[b,kv,j,d])
    x[j] = s * log2(e) if visible(i, j) else -inf
    m'   = max(m, max_j x[j])
    a    = 2^(m - m')                              (0 where m' is -inf)
    l'   = l * a + sum_j 2^(x[j] - m')             (no term where m' is -inf)
    acc' = acc * a + sum_j T(2^(x[j] - m')) * v[b,kv,j,:]
    ```

    `T` rounds to the element type of `v`. Folding pieces one after the other,
    in any partition of the keys, gives the same state up to rounding.

    Positions: `origin` holds what must be added to local indices, in the order
    batch, kv head, group, query position, key position. `group_size` is `Hq/Hkv`:
    the flat head that regions see is `kv_head * group_size + group`. `valid`
    is the number of leading keys that exist (`j < valid`); absent: all. Keys
    beyond, whatever they hold, do not reach the state, provided that the
    operand holds finite values there (tiles are padded with zeros). `masked`
    says whether mask and `valid` need looking at; a constant false drops them.
    `rows` is the number of leading query rows that exist (`i < rows`); absent:
    all. The states of rows behind are read by nobody, and keys that only such
    rows see do not reach the state, whatever `v` holds there.

    The maps name the layout of `q`, `k`, `v` over
    `(b, kv_head, group, i, j, d, e)`, `d` and `e` being head and value dimension.
    Maps of captures are over `(b, kv_head, group, i, j)`.

    Constraints:
    * C1: maps are projected permutations of the right rank; `q` uses `i, d`,
      `k` uses `j, d`, `v` uses `j, e`, not more than `b, kv_head, group` beside.
    * C2: `m` and `l` are `[b, kv_head, group, i]`, `acc` adds `e`; all f32.
    * C3: an extent that several operands name agrees wherever it is known.
    * C4: `q`, `k` and `v` share one element type: f32, bf16 or f16; ids and
      prefix are i32. No tensor has an encoding.
    * C5: `scale` is greater than 0 and below 2^127 in f32.
    * C6: an operand that the mask needs is there; regions are as those of
      `attn.attention`.
    * C7: results have the types of the state operands.

    `d` and `e` are never tiled: tiles of `e` would share one `m` and `l`.

    Created by `attn-decompose-attention`; tiled by `attn-tile`, split over keys
    by `attn-split-keys`; `convert-attn-to-linalg` consumes it.

    ```mlir
    %state:3 = attn.partial %q, %k, %v into (%m, %l, %acc)
        origin [%b, %kv, %g, %p, %r] group_size %c4 mask (#attn.causal) scale 0.125
        maps [affine_map<(b, h, g, i, j, d, e) -> (b, h, g, i, d)>,
              affine_map<(b, h, g, i, j, d, e) -> (b, h, j, d)>,
              affine_map<(b, h, g, i, j, d, e) -> (b, h, j, e)>]
        : tensor<1x8x4x64x64xf32>, tensor<1x8x32x64xf32>, tensor<1x8x32x64xf32>
        -> tensor<1x8x4x64xf32>, tensor<1x8x4x64x64xf32>
    ```
  }];
  let arguments = (ins
    Attn_Tensor:$q, Attn_Tensor:$k, Attn_Tensor:$v,
    Attn_Tensor:$m, Attn_Tensor:$l, Attn_Tensor:$acc,
    Variadic<Index>:$origin, Index:$group_size,
    Optional<Index>:$valid, Optional<Index>:$rows, Optional<I1>:$masked,
    Variadic<AnyType>:$score_captures, Variadic<AnyType>:$mask_captures,
    Optional<Attn_Tensor>:$q_ids, Optional<Attn_Tensor>:$kv_ids,
    Optional<Attn_Tensor>:$prefix,
    OptionalAttr<Attn_AnyMask>:$mask,
    F64Attr:$scale,
    AffineMapArrayAttr:$maps,
    OptionalAttr<AffineMapArrayAttr>:$score_maps,
    OptionalAttr<AffineMapArrayAttr>:$mask_maps
  );
  let results = (outs Attn_Tensor:$new_m, Attn_Tensor:$new_l,
                      Attn_Tensor:$new_acc);
  let regions = (region MaxSizedRegion<1>:$score, MaxSizedRegion<1>:$visible);

  let assemblyFormat = [{
    $q `,` $k `,` $v `into` `(` $m `,` $l `,` $acc `)`
    `origin` `[` $origin `]` `group_size` $group_size
    (`valid` $valid^)?
    (`rows` $rows^)?
    (`masked` $masked^)?
    (`mask` `(` custom<Mask>($mask)^ `)`)?
    `scale` $scale
    `maps` $maps
    (`score` `(` $score_captures^ `:` type($score_captures) `)`)?
    (`score_maps` $score_maps^)?
    (`score_region` $score^)?
    (`visible` `(` $mask_captures^ `:` type($mask_captures) `)`)?
    (`visible_maps` $mask_maps^)?
    (`visible_region` $visible^)?
    (`documents` `(` $q_ids^ `,` $kv_ids `:` type($q_ids) `,` type($kv_ids) `)`)?
    (`prefix` `(` $prefix^ `:` type($prefix) `)`)?
    attr-dict `:` type($q) `,` type($k) `,` type($v)
    `->` type($new_m) `,` type($new_acc)
  }];

  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;

  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      // m, l and acc are three adjacent segments of one operand each.
      return MutableOperandRange(getOperation(), 3, 3);
    }
    /// Layout of `q`, `k` or `v` over (b, kv_head, group, i, j, d, e).
    AffineMap getQMap() { return getMap(0); }
    AffineMap getKMap() { return getMap(1); }
    AffineMap getVMap() { return getMap(2); }
    AffineMap getMap(unsigned n) {
      return cast<AffineMapAttr>(getMaps()[n]).getValue();
    }
    /// The domain's dimensions: parallel but for the keys; HeadDim and ValueDim
    /// stand in the maps of q, k and v only.
    enum Dim : unsigned {
      Batch, KvHead, Group, Query, Key, HeadDim, ValueDim
    };
    static constexpr unsigned kNumLoops = 5;
    /// The operand axis at which a map names `dim`, or none.
    static std::optional<unsigned> getAxis(AffineMap map, unsigned dim);
    /// Whether mask or `valid` can hide a key.
    bool hidesKeys() { return getMaskAttr() || getValid(); }
    /// A copy at `b` that looks at no mask and no `valid`.
    PartialOp cloneUnmasked(OpBuilder &b);
  }];
}

def Attn_MergeOp : Attn_Op<"merge", [
    Pure, AllTypesMatch<["m", "l", "other_m", "other_l", "new_m", "new_l"]>,
    AllTypesMatch<["acc", "other_acc", "new_acc"]>
  ]> {
  let summary = "The state of the union of two disjoint pieces of keys";
  let description = [{
    ```
    m'   = max(m, other_m)
    l'   = l * 2^(m - m') + other_l * 2^(other_m - m')
    acc' = acc * 2^(m - m') + other_acc * 2^(other_m - m')
    ```

    Associative and commutative up to rounding, with `attn.neutral` as the neutral
    element: where one `m` is -inf and its `l` is 0, that state has seen no key, and
    the result is the other state bit for bit (a select, not an addition), whatever
    `acc` holds. A state that has seen nothing but NaN has `m` of -inf too, since a
    maximum passes NaN over; its `l` is NaN, which passes.

    Constraints:
    * C1: both states have the same types; `m` and `l` have the shape of `acc`
      without its last dimension; all are ranked f32 tensors without encoding.

    Created by `attn-split-keys`; `convert-attn-to-linalg` consumes it. Merging
    with `attn.neutral` folds.

    ```mlir
    %state:3 = attn.merge (%m0, %l0, %acc0), (%m1, %l1, %acc1)
        : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
    ```
  }];
  let arguments = (ins Attn_Tensor:$m, Attn_Tensor:$l,
                       Attn_Tensor:$acc, Attn_Tensor:$other_m,
                       Attn_Tensor:$other_l, Attn_Tensor:$other_acc);
  let results = (outs Attn_Tensor:$new_m, Attn_Tensor:$new_l,
                      Attn_Tensor:$new_acc);
  let assemblyFormat = [{
    `(` $m `,` $l `,` $acc `)` `,` `(` $other_m `,` $other_l `,` $other_acc `)`
    attr-dict `:` type($m) `,` type($acc)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Attn_FinalizeOp : Attn_Op<"finalize", [
    Pure, AttrSizedOperandSegments, AllTypesMatch<["m", "l"]>,
    AllTypesMatch<["out_init", "out"]>, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>
  ]> {
  let summary = "Turns a state into outputs";
  let description = [{
    With `s` the row's sink times `log2(e)`, or `-inf` without one:

    ```
    m'  = max(m, s)
    l'  = l * 2^(m - m') + 2^(s - m')
    out = acc * 2^(m - m') / l'          (0 where l is 0)
    lse = ln(2) * (m' + log2(l'))        (-inf where l' is 0)
    ```

    A sink of +inf gives `out = 0 * acc` and `lse = +inf`, or NaN where `l` is NaN.
    `out_init` and `lse_init`
    only say where the results go; what they hold is not read.

    Constraints:
    * C1: `m` and `l` are `[b, kv_head, group, i]`, `acc` adds `e`.
    * C2: `sinks` is `[kv_head, group]`, f32, bf16 or f16.
    * C3: `lse` has the type of `m` and of `lse_init`; both are there or none.
    * C4: `out_map` lays `out` out over `(b, kv_head, group, i, e)`; a dimension
      that it leaves out has extent 1. Default: all five, in order.
    * C5: states and `lse` are f32, `out` f32, bf16 or f16. No tensor has an
      encoding.

    Created by `attn-decompose-attention`; fused into query tiles by
    `attn-fuse-online-softmax`; `convert-attn-to-linalg` consumes it. `out` is
    rounded once, here.

    ```mlir
    %out, %lse = attn.finalize (%m, %l, %acc) into (%o, %s : tensor<1x8x4x64xf32>)
        : tensor<1x8x4x64xf32>, tensor<1x8x4x64x128xf32>
        -> tensor<1x8x4x64x128xbf16>, tensor<1x8x4x64xf32>
    ```
  }];
  let arguments = (ins Attn_Tensor:$m, Attn_Tensor:$l,
                       Attn_Tensor:$acc, Attn_Tensor:$out_init,
                       Optional<Attn_Tensor>:$lse_init,
                       Optional<Attn_Tensor>:$sinks,
                       OptionalAttr<AffineMapAttr>:$out_map);
  let results = (outs Attn_Tensor:$out, Optional<Attn_Tensor>:$lse);
  let assemblyFormat = [{
    `(` $m `,` $l `,` $acc `)` `into` `(` $out_init (`,` $lse_init^ `:` type($lse_init))? `)`
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)?
    (`out_map` $out_map^)?
    attr-dict `:` type($m) `,` type($acc) `->` type($out) (`,` type($lse)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return MutableOperandRange(getOperation(), 3, getLseInit() ? 2 : 1);
    }
    /// Layout of `out` over (b, kv_head, group, i, e).
    AffineMap getOutLayout();
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNSTATEOPS_TD
