//===- AttnWalkOps.td - The walk over keys -----------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// attn.walk: in which order one query tile visits its key tiles, and what is
// known of each of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNWALKOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNWALKOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Attn_WalkOp : Attn_Op<"walk", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::mlir::attn::YieldOp">,
    AllTypesMatch<["inits", "results"]>
  ]> {
  let summary = "Visits key tiles in order, carrying a state";
  let description = [{
    Keys `[0, extent)` are cut into tiles of `tile` keys; the last may be ragged.
    The segments are run one after the other, and inside each the tiles in its
    direction; the body runs once per tile with

    * `start`: the tile's first key, `t * tile`,
    * `valid`: how many of its keys exist, `min(tile, extent - start)`; exactly
      `tile` in a `full` segment,
    * `masked`: whether the body must look at the mask and at `valid`; false in a
      `full` segment,
    * the state that the step before yielded.

    Operands `bounds` holds begin and end of each segment, in order. A bound is a
    tile number for a `range`, a place in the list for a `list`. A segment whose
    end is not greater than its begin is empty. A list entry that names no tile
    (negative, or beyond the extent) is skipped. A walk over no tile gives back
    its inits.

    Constraints:
    * C1: two bounds per segment; one list per `list` segment, `[entries]` of
      i32.
    * C2: `tile` is at least 1.
    * C3: the body takes `(index, index, i1)` and then the types of `inits`, and
      yields the types of `inits`.

    `attn-tile` creates it with one segment that promises nothing;
    `attn-classify-blocks` refines the segments; a block-sparse operation creates
    it over a list. `attn-lower-walk` turns it into loops, one copy of the body
    per segment. None of these changes a result bit, but for the order in
    which a walk visits tiles.

    ```mlir
    %sum = attn.walk %extent by 64
        segments [#attn.segment<range, full>, #attn.segment<range, partial>]
        bounds (%c0, %a, %a, %b) init (%zero : index) {
    ^bb0(%start: index, %valid: index, %masked: i1, %sum: index):
      %next = arith.addi %sum, %valid : index
      attn.yield %next : index
    }
    ```
  }];
  let arguments = (ins
    Index:$extent, I64Attr:$tile,
    Attn_SegmentArrayAttr:$segments,
    Variadic<Index>:$bounds, Variadic<Attn_Tensor>:$lists,
    Variadic<AnyType>:$inits
  );
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $extent `by` $tile `segments` $segments
    `bounds` `(` $bounds `)`
    (`lists` `(` $lists^ `:` type($lists) `)`)?
    (`init` `(` $inits^ `:` type($inits) `)`)?
    $body attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    static constexpr unsigned kNumTileArguments = 3;
    Value getStart() { return getBody().getArgument(0); }
    Value getValid() { return getBody().getArgument(1); }
    Value getMasked() { return getBody().getArgument(2); }
    /// The n-th segment.
    SegmentAttr getSegment(unsigned n) {
      return cast<SegmentAttr>(getSegments()[n]);
    }
    /// Begin and end of the n-th segment.
    std::pair<Value, Value> getSegmentBounds(unsigned n) {
      return {getBounds()[2 * n], getBounds()[2 * n + 1]};
    }
    /// The list of the n-th segment, which must be of kind `list`.
    Value getSegmentList(unsigned n);
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNWALKOPS_TD
