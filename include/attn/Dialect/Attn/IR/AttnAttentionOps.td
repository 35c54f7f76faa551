//===- AttnAttentionOps.td - The user level ----------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What users write: attn.attention, and the terminator of its regions.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "attn/Interfaces/ShapeFactsInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Attn_AttentionOp : Attn_Op<"attention", [
    Pure, AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<ShapeFactsOpInterface>
  ]> {
  let summary = "Exact attention of queries over keys and values";
  let description = [{
    For every batch `b`, query head `h` and query `i`, over the visible keys `j`:

    ```
    s[j] = score(scale * sum_d q[b,h,i,d] * k[b,h/G,j,d])      G = Hq / Hkv
    out  = sum_j softmax(s)[j] * v[b,h/G,j,:]
    lse  = ln sum_j exp(s[j])
    ```

    A query has position `p = i + Skv - Sq` (`bottom_right`, the default) or
    `p = i` (`top_left`); key `j` has position `r = j`. Masks, score regions and
    mask regions see positions, never local indices.

    * **mask**: an attribute, see `#attn.causal`, `#attn.window`,
      `#attn.window_size`, `#attn.prefix`, `#attn.chunked`, `#attn.documents`,
      `#attn.region`, combined by `#attn.and` and `#attn.or`. Absent: all keys
      are visible.
    * **score** region: `(s: f32, b, h, p, r: index, captures...) -> f32`, any
      pure operations. Applied after the scale, before the mask.
    * **visible** region: `(b, h, p, r: index, captures...) -> i1`, named in the
      mask by `#attn.region`.
    * **captures**: operands that a region reads. The map of a capture over
      `(b, h, i, j)` names which element the region receives: each result is a
      dimension, used once, or the constant 0. A map without results passes the
      operand whole: a scalar, or a tensor that the region reads by
      `tensor.extract` (indices are clamped into its extents). The maps speak of
      local `i` and `j`, since that is how the tensors are laid out.
    * **sinks**: one logit per query head, `[Hq]`; joins the denominator, and
      `lse`, and nothing else.
    * **documents**: i32 ids `[B, Sq]` and `[B, Skv]`, for `#attn.documents`.
    * **prefix**: i32 `[B]`, for `#attn.prefix` without a number.
    * **cu_seqlens**: i32 `[B+1]` each, for packed tensors, each entry clamped
      between the one before and the total: then
      `q [total_q, Hq, D]`, `k [total_kv, Hkv, D]`, `v [total_kv, Hkv, Dv]`,
      `out [total_q, Hq, Dv]`, `lse [Hq, total_q]`, ids `[1, total]`. Positions
      restart at every segment; segments of no length are legal.
    * **seqused**: i32 `[B]`: how many queries (keys) of a batch or segment
      count; they replace `Sq` and `Skv` everywhere, in the alignment too. Rows
      of `out` beyond are 0, of `lse` -inf.

    A row that sees no key has `out = 0` and `lse = -inf` (with a sink
    `lse = sink`). Memory behind keys that are not visible never reaches a
    result.

    Constraints:
    * C1: operands and results have the ranks given above, and no encoding.
    * C2: `q`, `k`, `v`, `out` share one element type: f32, bf16 or f16; `lse`
      is f32; ids, prefix and lengths are i32.
    * C3: `D` of `q` and `k` is static and equal; `Dv` of `v` and `out` too;
      neither is 0.
    * C4: batch and lengths agree across operands wherever both are known.
    * C5: `Hq` is a multiple of `Hkv`, wherever both are known.
    * C6: `scale` is greater than 0 and below 2^127 in f32; default `1/sqrt(D)`.
    * C7: an operand that a mask needs is there, and none that it does not;
      `documents` come for queries and keys together.
    * C8: regions have the arguments and yield listed above.
    * C9: `sinks` is f32, bf16 or f16.
    * C10: `cu_seqlens` of queries and of keys come together.
    * C11: attributes beside the operation's own have the name of a dialect in
      front (`user.tag`): a misspelt one is no attribute that nothing reads.

    Created by users; `attn-decompose-attention` consumes it. Products and sums
    are f32; probabilities are rounded to the element type before they meet `v`.

    ```mlir
    %out = attn.attention %q, %k, %v mask (#attn.causal)
        : tensor<1x32x2048x128xbf16>, tensor<1x8x2048x128xbf16>,
          tensor<1x8x2048x128xbf16> -> tensor<1x32x2048x128xbf16>
    ```
  }];

  // Ranks and element types are C1, C2 and C9: the verifier checks them by the
  // operand's name, together with everything else.
  let arguments = (ins
    AnyTensor:$q, AnyTensor:$k, AnyTensor:$v,
    Variadic<AnyType>:$score_captures,
    Variadic<AnyType>:$mask_captures,
    Optional<AnyTensor>:$sinks,
    Optional<AnyTensor>:$q_ids, Optional<AnyTensor>:$kv_ids,
    Optional<AnyTensor>:$prefix,
    Optional<AnyTensor>:$cu_seqlens_q, Optional<AnyTensor>:$cu_seqlens_kv,
    Optional<AnyTensor>:$seqused_q, Optional<AnyTensor>:$seqused_kv,
    OptionalAttr<Attn_AnyMask>:$mask,
    DefaultValuedAttr<Attn_AlignmentAttr,
        "::mlir::attn::Alignment::BottomRight">:$alignment,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<AffineMapArrayAttr>:$score_maps,
    OptionalAttr<AffineMapArrayAttr>:$mask_maps
  );
  let results = (outs AnyTensor:$out, Optional<AnyTensor>:$lse);
  let regions = (region MaxSizedRegion<1>:$score, MaxSizedRegion<1>:$visible);

  let assemblyFormat = [{
    $q `,` $k `,` $v
    (`mask` `(` custom<Mask>($mask)^ `)`)?
    (`alignment` $alignment^)?
    (`scale` $scale^)?
    (`score` `(` $score_captures^ `:` type($score_captures) `)`)?
    (`score_maps` $score_maps^)?
    (`score_region` $score^)?
    (`visible` `(` $mask_captures^ `:` type($mask_captures) `)`)?
    (`visible_maps` $mask_maps^)?
    (`visible_region` $visible^)?
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)?
    (`documents` `(` $q_ids^ `,` $kv_ids `:` type($q_ids) `,` type($kv_ids) `)`)?
    (`prefix` `(` $prefix^ `:` type($prefix) `)`)?
    (`cu_seqlens` `(` $cu_seqlens_q^ `,` $cu_seqlens_kv `:`
        type($cu_seqlens_q) `,` type($cu_seqlens_kv) `)`)?
    (`seqused_q` `(` $seqused_q^ `:` type($seqused_q) `)`)?
    (`seqused_kv` `(` $seqused_kv^ `:` type($seqused_kv) `)`)?
    attr-dict `:` type($q) `,` type($k) `,` type($v)
    `->` type($out) (`,` type($lse)^)?
  }];

  let builders = [
    // Dense attention without further operands: the type of `out` follows from
    // those of `q` and `v`.
    OpBuilder<(ins "Value":$q, "Value":$k, "Value":$v,
                   CArg<"Attribute", "{}">:$mask)>
  ];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;

  let extraClassDeclaration = [{
    /// Whether the operands are packed by `cu_seqlens`.
    bool isPacked() { return static_cast<bool>(getCuSeqlensQ()); }
    int64_t getHeadDim() { return getQ().getType().getShape().back(); }
    int64_t getValueDim() { return getV().getType().getShape().back(); }
    /// The factor on `q . k`: the attribute, or `1/sqrt(D)`.
    double getEffectiveScale();
    /// The place of an extent in `q`, `k` or `v`.
    int64_t getHeadAxis() { return 1; }
    int64_t getLengthAxis() { return isPacked() ? 0 : 2; }
  }];
}

def Attn_YieldOp : Attn_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["AttentionOp", "PartialOp", "WalkOp"]>
  ]> {
  let summary = "Ends a region of the dialect with its values";
  let description = [{
    The score (f32) or visibility (i1) of one query and key, or the states that
    one step of an `attn.walk` hands to the next.

    Constraints:
    * C1: it stands in a region of `attn.attention`, `attn.partial` or
      `attn.walk`.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD
