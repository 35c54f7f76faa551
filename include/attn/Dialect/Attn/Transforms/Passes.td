//===- Passes.td - From user level to iteration level ------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// attn.attention  --- attn-select-schedule (for kernels)
//   | attn-decompose-attention
// neutral, partial, finalize on whole tensors  --- attn-slice-keys (for
//   |                                          kernels), attn-split-keys
//   | attn-tile
// scf.forall of query tiles, in each an attn.walk over key tiles
//   | attn-fuse-online-softmax
// the same with the state inside the tile
//   | attn-classify-blocks
// the same with the walk's segments classified
//   | attn-lower-walk
// loops, one per segment
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_PASSES
#define ATTN_DIALECT_ATTN_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def AttnSelectSchedulePass : Pass<"attn-select-schedule"> {
  let summary = "Chooses the schedules of attention's kernels, by length";
  let description = [{
    Each `attn.attention` gets an `attn.schedule` from a table by chip, head
    dimensions and mask (full or masked), and a cost model beside it: waves of
    query tiles, key tiles that are visited, their masks, rows that are padded,
    what a query tile costs by itself
    ([AttnGPU.md](../Rationale/AttnGPU.md#schedules)).

    * Static extents: the schedule of least time.
    * Lengths that only a call knows: several, if each is best for some. The
      operation is copied into the branches of an `scf.if` that compares the
      shorter of the lengths that are dynamic with where the next schedule
      begins. Everything after it compiles each copy as a program of its own.
    * With an option: one, for static extents or else long lengths, with what the
      options say.

    `attn.choice`, a dictionary beside it, says what it was chosen for, for
    reports and manifests: `attention`, the operation's number in the program,
    `mask`, `length` (which one is compared), `from`, `below`, `why`, and `given`
    where an option or an attribute took the choice away. So does a remark (`attn-select-schedule`). Names in the operation's `attn.rejected`, an
    array of strings such as `"192x128"`, are not chosen; if nothing else is
    left, the first of the table is.

    An operation that has an `attn.schedule` keeps it; options that say otherwise
    are a warning there. Results change in the order of f32 sums, which follows the
    key tile.

    Constraints:
    * C1: a thread block can have the schedule that an option or attribute gives:
      query tiles of 64 rows for each of at most 7 consumers, key tiles of a
      multiple of 16 keys, at most 256, and both, times stages, in shared memory;
      what a consumer's thread holds (outputs, scores, weights, queries where they
      are kept) in its registers, beyond which ptxas makes products wait for each
      other or gives up. Otherwise the error says every limit, what was got, and the
      nearest schedule that fits.

    ```
    %out = attn.attention %q, %k, %v : ...
    // becomes
    %length = min(dim %q 2, dim %k 2)
    %out = scf.if %length >= 256 {
      attn.attention %q, %k, %v {attn.schedule =
          #attn.schedule<query_tile = 192, key_tile = 128>, attn.choice = {...}}
    } else {
      attn.attention %q, %k, %v {attn.schedule =
          #attn.schedule<query_tile = 128, key_tile = 128>, attn.choice = {...}}
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "Device that kernels are for">,
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"0",
           "Rows of a query tile, up to 1024; 0: the table's">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"0",
           "Keys of a key tile, up to 4096; 0: the table's">,
    Option<"stages", "stages", "int64_t", /*default=*/"0",
           "Stages of rings in loops, up to 8; 0: the table's">,
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "How query tiles come to thread blocks: once, strided or dynamic; "
           "empty: the table's">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AttnDecomposeAttentionPass : Pass<"attn-decompose-attention"> {
  let summary = "Decomposes attn.attention into the operations of the monoid";
  let description = [{
    `attn.attention` becomes `attn.neutral`, `attn.partial` and `attn.finalize`.
    Query heads are split into kv head and group; the alignment becomes the
    origin of query positions; captures with a head dimension are split alike.

    Packed operands and `seqused` become a loop over batches, each with slices
    of its own lengths. Offsets read from `cu_seqlens` and `seqused` are clamped
    into the tensors they index, so that bad values give wrong rows, never a
    read outside. Rows that no segment covers get `out = 0` and `lse = -inf`.

    Results do not change beyond the order of f32 sums.

    ```
    %out = attn.attention %q, %k, %v mask (#attn.causal) : ...
    // becomes
    %init:3 = attn.neutral : ...
    %state:3 = attn.partial %q5, %k, %v into (%init#0, %init#1, %init#2)
        origin [%c0, %c0, %c0, %shift, %c0] group_size %g mask (#attn.causal) ...
    %out5 = attn.finalize (%state#0, %state#1, %state#2) into (%empty) ...
    %out = tensor.collapse_shape %out5 [[0], [1, 2], [3], [4]] : ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AttnSliceKeysPass : Pass<"attn-slice-keys"> {
  let summary = "Leaves the keys out that no query sees";
  let description = [{
    Slices the keys of every whole `attn.partial` to the shortest run that holds
    each key which some query may see: `k`, `v`, document ids and captures along
    the keys. The key origin grows by what is left out in front or, where masks
    look at distances only (`causal`, windows, `documents`; no score region), the
    query origin falls by it. The run is that of the interval analysis of `attn-classify-blocks`, on all queries as one
    tile: a few scalar operations in the host program.

    A weight of 0 times a V that is not finite is NaN. Where products of whole
    tiles are computed, as on tensor cores, what lies at a key must be finite,
    unless it is read as zeros; behind the ends of a slice it is. So NaN at keys
    that no query sees reaches no result, if they lie before or behind all that
    are seen: with `top_left` alignment and fewer queries than keys, or in front
    of a window that moves along (a `left` or a chunk, more keys than
    queries). Keys in a gap, between a prefix and a window, stay.

    Nothing changes where the analysis shows that all keys are within the run,
    whatever the lengths: without a mask, `causal` with `bottom_right`, a prefix or
    `causal` with it. Nor where it shows that no query sees a key, for such rows
    are empty whatever V holds. What needs operands or a region (`documents`,
    `region`, a prefix by operand) is taken to hide nothing.

    Not touched: an `attn.partial` with `valid`, `rows` or `masked`, and tiles in
    an `attn.walk` or a loop over tiles.

    Results change in the order of f32 sums, since key tiles begin at the first
    key of the run. A remark (`attn-slice-keys`) says which ends were cut off.

    ```
    %state:3 = attn.partial %q, %k, %v into (...)
        origin [%c0, %c0, %c0, %c0, %c0] group_size %g mask (#attn.causal) ...
    // becomes, of 64 queries and 100 keys,
    %k64 = tensor.extract_slice %k[0, 0, 0, 0] [1, 8, 64, 128] [1, 1, 1, 1] ...
    %v64 = tensor.extract_slice %v[0, 0, 0, 0] [1, 8, 64, 128] [1, 1, 1, 1] ...
    %state:3 = attn.partial %q, %k64, %v64 into (...)
        origin [%c0, %c0, %c0, %c0, %c0] group_size %g mask (#attn.causal) ...
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AttnSplitKeysPass : Pass<"attn-split-keys"> {
  let summary = "Splits the keys into parts with states of their own";
  let description = [{
    Tiles the key dimension of every whole `attn.partial` (upstream's reduction
    tiling, outer parallel) into `parts` parts that run in parallel, and joins
    their states in order by `attn.merge`. Pays where there are fewer query tiles
    than cores: long keys, few queries. With `parts=0` a cost model decides
    per operation; 1 leaves it alone.

    The order of f32 sums changes with the number of parts, so results differ
    in their last bits from those of an unsplit run; they repeat exactly.
  }];
  let options = [
    Option<"parts", "parts", "int64_t", /*default=*/"0",
           "Parts the keys are split into, up to 4096; 0: cost model">,
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Cores the cost model counts on, up to 4096; 0: it does not split">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect"];
}

def AttnTilePass : Pass<"attn-tile"> {
  let summary = "Tiles attn.partial over batch, heads and queries, walks the keys";
  let description = [{
    Makes an `scf.forall` over (batch, kv head, group, query tile), its
    dimensions named by `#attn.dim` (upstream `scf::tileUsingSCF`), and in it one
    `attn.walk` over key tiles with a single segment that promises nothing.
    Tiles have static shapes: a ragged end is padded with zeros, and keys beyond
    it are hidden by `valid`.

    Tile sizes come from the options or, where these are 0, from the cost model:
    for kernels from the operation's `attn.schedule`, or without one from the
    table of `attn-select-schedule`. The walk gets the `attn.schedule` and the
    `attn.choice` of the operation.
    The choice and its reason are a remark (`attn-tile`). No numerics change but
    for the order of f32 sums, which follows the key tile.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"0",
           "Rows of a query tile, up to 1024; 0: cost model">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"0",
           "Keys of a key tile, up to 4096; 0: cost model">,
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What the cost model is of: cpu or sm_90a">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect"];
}

def AttnFuseOnlineSoftmaxPass : Pass<"attn-fuse-online-softmax"> {
  let summary = "Keeps the state inside the query tile";
  let description = [{
    After `attn-tile` the states of all rows stand in memory: `attn.neutral`
    writes them, every query tile reads and writes its part, `attn.finalize`
    reads them. This pass moves a neutral state and the finalization into the
    tile, so that the walk carries the state and only outputs are stored. A
    `attn.finalize` fed by something else (split keys) stays where it is.

    Results do not change.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AttnClassifyBlocksPass : Pass<"attn-classify-blocks"> {
  let summary = "Finds the key tiles that a query tile has to visit";
  let description = [{
    A walk that promises nothing, over all key tiles, gets the segments that the
    mask of its `attn.partial` leaves for the rows of its query tile: runs of
    `full` tiles, in which neither mask nor `valid` is looked at, `partial` tiles
    around them, and nothing for tiles that no row sees. The bounds are computed
    by interval analysis, a handful of scalar operations before the walk,
    whatever the lengths are. Without a mask only a ragged last tile is
    `partial`.

    Named masks and recognised mask regions are exact or nearly so. Document ids
    are looked at once per key tile, before the loop over query tiles, and once
    per row of a query tile; tiles whose ids do not overlap the rows' are left
    out at both ends. What is not understood hides nothing, and is `partial`.

    Not touched: walks over lists, walks with several segments or over some of
    the tiles, and bodies that are not one `attn.partial` on the tile.

    Results change only in that a tile that adds nothing is not visited: bit for
    bit the same, but for a NaN or infinity at a key that no row of a query tile
    sees, which reaches nothing either way. Remarks (`attn-classify-blocks`) name
    the segments and what of the mask was not understood.

    ```
    attn.walk %keys by 64 segments [#attn.segment<range, partial>]
        bounds (%c0, %tiles) ...
    // becomes, with #attn.causal,
    attn.walk %keys by 64
        segments [#attn.segment<range, full>, #attn.segment<range, partial>]
        bounds (%c0, %diagonal, %diagonal, %end) ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AttnCountTilesPass : Pass<"attn-count-tiles", "::mlir::ModuleOp"> {
  let summary = "Turns functions into ones that count the key tiles they visit";
  let description = [{
    Every public function that no other calls, and every function with an
    `attn.walk`, becomes a function of the same name and arguments that returns `tensor<3xi64>`: over all query tiles, batches and
    heads, how many key tiles are visited in `full` segments, how many in
    `partial` ones, and how many there are. Entries of a list count where they
    name a tile. What remains is what computes the bounds of segments and loops:
    lengths, positions, document ids; nothing is attended to.

    It is a measurement: reports compile a copy of the program with it, after
    `attn-classify-blocks`, and call it on the same arguments. Attributes of the
    function are dropped, since they may speak of its results.

    Constraints:
    * C1: walks stand in `scf.for`, `scf.forall` and `scf.if` only, in a function
      of one block that is not called by another.
    * C2: no bound depends on what a loop around the walk carries.

    ```
    func.func @f(%q: tensor<1x1x1x?x64xf32>, ...) -> tensor<1x1x1x?x64xf32>
    // becomes
    func.func @f(%q: tensor<1x1x1x?x64xf32>, ...) -> tensor<3xi64>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AttnLowerWalkPass : Pass<"attn-lower-walk"> {
  let summary = "Turns attn.walk into loops, one per segment";
  let description = [{
    Each segment becomes an `scf.for` with a copy of the body, in which `start`,
    `valid` and `masked` are replaced: constants in a `full` segment, so that the
    mask folds away. A list segment reads its tile numbers and skips those that
    name no tile. Results do not change.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_PASSES
