//===- AttnAttrs.td - Masks, segments, dimensions ----------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks as composable attributes, the alignment of queries to keys, the
// segments of a key walk, the names of iteration dimensions, and schedules.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD

include "attn/Dialect/Attn/IR/AttnDialect.td"
include "mlir/Dialect/SCF/IR/DeviceMappingInterface.td"

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

def Attn_Alignment : I32EnumAttr<"Alignment",
    "how query positions are aligned to key positions", [
      I32EnumAttrCase<"BottomRight", 0, "bottom_right">,
      I32EnumAttrCase<"TopLeft", 1, "top_left">
    ]> {
  let cppNamespace = "::mlir::attn";
  let genSpecializedAttr = 0;
}

def Attn_AlignmentAttr : EnumAttr<Attn_Dialect, Attn_Alignment, "alignment"> {
  let summary = "How query positions are aligned to key positions";
  let description = [{
    `bottom_right` (the default): query `i` has position `i + Skv - Sq`, so the
    last query sits at the last key. `top_left`: query `i` has position `i`.
    Key `j` always has position `j`.
  }];
  let assemblyFormat = "$value";
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

// Text is read by hand (MaskSyntax.cpp), so that errors say what a mask takes.
class Attn_MaskAttr<string name, string mnemonic>
    : Attn_Attr<name, mnemonic> {
  let hasCustomAssemblyFormat = 1;
}

def Attn_CausalAttr : Attn_MaskAttr<"Causal", "causal"> {
  let summary = "Key r is visible to query position p iff r <= p";
}

def Attn_WindowAttr : Attn_MaskAttr<"Window", "window"> {
  let summary = "Key r is visible iff p - left <= r <= p + right";
  let description = [{
    Both bounds are inclusive, so `left = w, right = 0` gives `w + 1` keys. A
    side that is absent is unbounded. At least one side is given; neither is
    negative (C1).

    ```mlir
    #attn.or<#attn.window<left = 1023, right = 0>, #attn.window<left = 4096>>
    ```
  }];
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$left,
                        OptionalParameter<"std::optional<int64_t>">:$right);
  let genVerifyDecl = 1;
}

def Attn_WindowSizeAttr : Attn_MaskAttr<"WindowSize", "window_size"> {
  let summary = "The w keys that end at the query, itself included";
  let description = [{
    What most model cards call "sliding window w": sugar for
    `#attn.window<left = w - 1, right = 0>`. `w` is at least 1 (C1).
  }];
  let parameters = (ins "int64_t":$size);
  let genVerifyDecl = 1;
}

def Attn_PrefixAttr : Attn_MaskAttr<"Prefix", "prefix"> {
  let summary = "The first n keys are visible";
  let description = [{
    Visible iff `r < n`. Combined with the rest of a mask by `or`:
    `#attn.or<#attn.prefix<64>, #attn.causal>`. Without a number, `n` comes per
    batch from the operation's `prefix` operand. `n` is not negative (C1).
  }];
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$length);
  let genVerifyDecl = 1;
}

def Attn_ChunkedAttr : Attn_MaskAttr<"Chunked", "chunked"> {
  let summary = "Visible iff floor(p / size) = floor(r / size)";
  let description = [{ `size` is at least 1 (C1). }];
  let parameters = (ins "int64_t":$size);
  let genVerifyDecl = 1;
}

def Attn_DocumentsAttr : Attn_MaskAttr<"Documents", "documents"> {
  let summary = "Visible iff query and key carry the same document id";
  let description = [{
    The ids come from the operation's `documents` operands, one i32 per query
    and per key. They need not be sorted; sorted ids skip more tiles.
  }];
}

def Attn_RegionMaskAttr : Attn_MaskAttr<"RegionMask", "region"> {
  let summary = "Whatever the operation's mask region yields";
}

def Attn_AndAttr : Attn_MaskAttr<"And", "and"> {
  let summary = "Visible where every part allows it";
  let description = [{ At least one part, each a mask attribute (C1). }];
  let parameters = (ins ArrayRefParameter<"Attribute">:$parts);
  let genVerifyDecl = 1;
}

def Attn_OrAttr : Attn_MaskAttr<"Or", "or"> {
  let summary = "Visible where some part allows it";
  let description = [{ At least one part, each a mask attribute (C1). }];
  let parameters = (ins ArrayRefParameter<"Attribute">:$parts);
  let genVerifyDecl = 1;
}

def Attn_AnyMask : Attr<
    CPred<"::mlir::attn::isMaskAttr($_self)">,
    "mask attribute (#attn.causal, window, window_size, prefix, chunked, "
    "documents, region, and, or)"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

//===----------------------------------------------------------------------===//
// Segments of a key walk
//===----------------------------------------------------------------------===//

def Attn_SegmentKind : I32EnumAttr<"SegmentKind", "what a segment runs over", [
      I32EnumAttrCase<"Range", 0, "range">,
      I32EnumAttrCase<"List", 1, "list">
    ]> {
  let cppNamespace = "::mlir::attn";
}

def Attn_SegmentDirection : I32EnumAttr<"SegmentDirection",
    "the order inside a segment", [
      I32EnumAttrCase<"Ascending", 0, "ascending">,
      I32EnumAttrCase<"Descending", 1, "descending">
    ]> {
  let cppNamespace = "::mlir::attn";
}

def Attn_SegmentClass : I32EnumAttr<"SegmentClass",
    "what is known of every tile of a segment", [
      I32EnumAttrCase<"Full", 0, "full">,
      I32EnumAttrCase<"Partial", 1, "partial">
    ]> {
  let cppNamespace = "::mlir::attn";
}

def Attn_SegmentAttr : Attn_Attr<"Segment", "segment"> {
  let summary = "One segment of a key walk";
  let description = [{
    A `range` visits the key tiles `[begin, end)`; a `list` visits the tiles
    that entries `[begin, end)` of an index list name. `full`: every tile lies
    wholly inside the extent and every key of it is visible to every row, so
    the body's mask is not evaluated. `partial`: nothing is promised.
  }];
  let parameters = (ins EnumParameter<Attn_SegmentKind>:$kind,
                        EnumParameter<Attn_SegmentClass>:$tiles,
                        DefaultValuedParameter<"SegmentDirection",
                            "SegmentDirection::Ascending">:$direction);
  let assemblyFormat = "`<` $kind `,` $tiles (`,` $direction^)? `>`";
}

def Attn_SegmentArrayAttr :
    TypedArrayAttrBase<Attn_SegmentAttr, "array of #attn.segment">;

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

def Attn_Dimension : I64EnumAttr<"Dimension", "an iteration dimension", [
      I64EnumAttrCase<"Batch", 0, "batch">,
      I64EnumAttrCase<"KvHead", 1, "kv_head">,
      I64EnumAttrCase<"Group", 2, "group">,
      I64EnumAttrCase<"Query", 3, "query">,
      I64EnumAttrCase<"KeySplit", 4, "key_split">
    ]> {
  let cppNamespace = "::mlir::attn";
  let genSpecializedAttr = 0;
}

def Attn_DimensionAttr : EnumAttr<Attn_Dialect, Attn_Dimension, "dim", [
      DeclareAttrInterfaceMethods<DeviceMappingAttrInterface>
    ]> {
  let summary = "The name of one dimension of a tiled iteration space";
  let description = [{
    Stands in the `mapping` of the `scf.forall` that `attn-tile` makes, so that
    later passes find a dimension by its name and not by its place.
  }];
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Attn_ScheduleAttr : Attn_Attr<"Schedule", "schedule"> {
  let summary = "How the kernel of an attention is divided";
  let description = [{
    Each key is explained in docs/Rationale/AttnGPU.md, in the section named here.

    * `query_tile`, `key_tile`: rows of queries, 64 for each consumer (a warpgroup,
      128 threads, that multiplies; one more copies), and keys that a step takes.
    * `stages`: of the rings that keys and values come through (Rings, not barriers).
    * `work`: how query tiles come to thread blocks: `once`, a thread block for each;
      `strided`, as many as run at once, each taking every so-manieth; `dynamic`,
      these, taking the next one from a counter (The end of one point under the
      beginning of the next).
    * `turns`: one consumer multiplies while another makes weights (Turns).
    * `flatten`: the end of a query tile runs beside the beginning of the next.
    * `lazy_rescale`: what a row's exponents are taken from may stay behind the
      row's maximum, so that sums are seldom rescaled.
    * `queries_in_registers`: queries are loaded once, not read by each product
      (Registers).
    * `early_weights`: the exponentials of a step come before its wait for the
      product of the step before, whatever the assembler would like (What ptxas
      reorders).
    * `cluster`: thread blocks that work on neighbouring query tiles and share the
      keys and values that they copy (Clusters), where the mask lets all query tiles
      walk the same keys and `key_tile` is a multiple of `cluster * 8`; else without
      effect, with a warning.

    `query_tile` and `key_tile` must be given. What is left out has these values: 2
    stages, `work = "dynamic"`, turns, flattened, and none of the others. The table's
    schedules have more: tiles alone are slower than what is chosen, so begin with the
    `schedule` that the manifest lists. What a kernel can have (multiples of 64 rows and 16 keys,
    shared memory, registers) `attn-select-schedule` checks. Options such as
    `--query-tile` do not change an operation that has a schedule; it warns of them.

    ```mlir
    %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<query_tile = 128,
        key_tile = 128, work = "strided", lazy_rescale = true, cluster = 2>} : !t, !t, !t -> !t
    ```

    Stands as `attn.schedule` on an `attn.attention`: by `attn-select-schedule`,
    which leaves alone what has one already, or by hand. From there it goes to
    `attn.partial` and `attn.walk`, and to the kernel. It has no meaning for a
    CPU.

    Constraints:
    * C1: `query_tile` is between 1 and 1024, `key_tile` between 1 and 4096,
      `stages` between 1 and 8.
    * C2: `work` is `once`, `strided` or `dynamic`.
    * C3: `cluster` is between 1 and 8; above 1, `work` is `strided`.
  }];
  let parameters = (ins "int64_t":$query_tile, "int64_t":$key_tile,
                        DefaultValuedParameter<"int64_t", "2">:$stages,
                        StringRefParameter<"", "\"dynamic\"">:$work,
                        DefaultValuedParameter<"bool", "true">:$turns,
                        DefaultValuedParameter<"bool", "true">:$flatten,
                        DefaultValuedParameter<"bool", "false">:$lazy_rescale,
                        DefaultValuedParameter<"bool", "false">
                          :$queries_in_registers,
                        DefaultValuedParameter<"bool", "false">:$early_weights,
                        DefaultValuedParameter<"int64_t", "1">:$cluster);
  // Read by hand (Schedules.cpp), so that errors say what a schedule has.
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
