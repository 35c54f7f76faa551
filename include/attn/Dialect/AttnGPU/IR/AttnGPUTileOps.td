//===- AttnGPUTileOps.td - Work on tiles -------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles in shared memory, fragments in registers, products.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTILEOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTILEOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.td"
include "mlir/Dialect/Vector/IR/VectorAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AttnGPU_ReadOp : AttnGPU_Op<"read", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "Reads a tile from global memory";
  let description = [{
    The tile of `rows` x `columns` elements at `offsets`, its rows along
    dimension `row_dim` (by default the one before the last), its columns along
    the last. Elements outside the tensor, before it or behind, are 0. A
    collective operation: all warpgroups of the kernel take part, with the same
    operands, and each may use the tile afterwards.

    The tile is a value: where it is kept, and when its memory may be used
    again, is for later passes to decide.

    Constraints:
    * C1: an offset for each dimension of the tensor.
    * C2: `row_dim` is a dimension of the tensor, and not the last.
    * C3: tensor and tile have one element type.
    * C4: the last dimension of the tensor has unit stride.

    Created by `convert-attn-to-attn-gpu`; `attn-gpu-async-copy` turns it into a
    ring of copies, `convert-attn-gpu-to-nvvm` into loads by all threads.

    ```mlir
    %tile = attn_gpu.read %k[%b, %h, %row, %c0] : memref<?x?x?x64xbf16>
        -> !attn_gpu.tile<128x64xbf16>
    ```
  }];
  let arguments = (ins AttnGPU_Global:$source, Variadic<Index>:$offsets,
                       OptionalAttr<AttnGPU_IntAttr>:$row_dim);
  let results = (outs AttnGPU_TileType:$tile);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`row_dim` $row_dim^)? attr-dict
    `:` type($source) `->` qualified(type($tile))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension that the tile's rows run along.
    int64_t getRowDimension() {
      return getRowDim().value_or(getSource().getType().getRank() - 2);
    }
  }];
}

def AttnGPU_WriteOp : AttnGPU_Op<"write", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "Writes a fragment, or a value for each row, to global memory";
  let description = [{
    The reverse of `attn_gpu.read`, by one warpgroup: element `(i, j)` goes to
    `offsets` plus `i` along `row_dim` and `j` along the last dimension.
    Elements outside the tensor are dropped.

    Constraints:
    * C1 to C4: as those of `attn_gpu.read`.
    * C5: the value is a fragment or one value for each row.

    Created by `convert-attn-to-attn-gpu`; `convert-attn-gpu-to-nvvm` turns it
    into stores by all threads of the warpgroup.

    ```mlir
    attn_gpu.write %out to %o[%b, %h, %row, %c0]
        : vector<64x128xbf16>, memref<?x?x?x128xbf16>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AttnGPU_Fragment, AttnGPU_RowValues]>:$value,
                       AttnGPU_Global:$destination, Variadic<Index>:$offsets,
                       OptionalAttr<AttnGPU_IntAttr>:$row_dim);
  let assemblyFormat = [{
    $value `to` $destination `[` $offsets `]` (`row_dim` $row_dim^)? attr-dict
    `:` type($value) `,` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension that the value's rows run along.
    int64_t getRowDimension() {
      return getRowDim().value_or(getDestination().getType().getRank() - 2);
    }
  }];
}

def AttnGPU_SubtileOp : AttnGPU_Op<"subtile", [Pure]> {
  let summary = "Some rows of a tile";
  let description = [{
    Rows `[row, row + rows)` of a tile, in place. `panel_rows` of the result is
    that of the source: panels keep their distance.

    Constraints:
    * C1: columns, element type and `panel_rows` are those of the source; rows
      are not more.
    * C2: `row` is a multiple of 8 at run time and the rows lie in the source
      (not checked).

    Created by `convert-attn-to-attn-gpu` to give each warpgroup its query rows.

    ```mlir
    %mine = attn_gpu.subtile %q[%row] : !attn_gpu.tile<128x64xbf16>
        -> !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    ```
  }];
  let arguments = (ins AttnGPU_TileType:$source, Index:$row);
  let results = (outs AttnGPU_TileType:$result);
  let assemblyFormat = [{
    $source `[` $row `]` attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def AttnGPU_LoadFragmentOp : AttnGPU_Op<"load_fragment", [
    MemoryEffects<[MemRead]>
  ]> {
  let summary = "A tile's elements in registers";
  let description = [{
    The tile as a fragment, which a product takes as its A operand from
    registers.

    Constraints:
    * C1: the tile has 64 rows; the fragment has its shape and element type.

    Created by passes that keep an operand in registers;
    `convert-attn-gpu-to-nvvm` turns it into `ldmatrix`.

    ```mlir
    %a = attn_gpu.load_fragment %q : !attn_gpu.tile<64x64xbf16>
        -> vector<64x64xbf16>
    ```
  }];
  let arguments = (ins AttnGPU_TileType:$tile);
  let results = (outs AttnGPU_Fragment:$fragment);
  let assemblyFormat = [{
    $tile attr-dict `:` qualified(type($tile)) `->` type($fragment)
  }];
  let hasVerifier = 1;
}

def AttnGPU_MmaOp : AttnGPU_Op<"mma", [MemoryEffects<[MemRead]>]> {
  let summary = "Starts a matrix product of one warpgroup";
  let description = [{
    ```
    D[i, j] = C[i, j] + sum_k A[i, k] * B[k, j]      (C = 0 if absent)
    ```

    `A` is 64 x K, a fragment or a tile; `B` is K x N, a tile. With
    `transpose_a` or `transpose_b` the tile holds the transposed matrix.
    Products are exact, sums f32. Each warpgroup starts a product of its own.

    The result is in flight, and so are the registers of `C` and of a fragment
    `A`, until an `attn_gpu.mma_wait` gives it back. Tiles must not be
    overwritten before.

    Constraints:
    * C1: `A` and `B` have one element type, bf16 or f16; `C` and `D` are f32.
    * C2: shapes fit; a tile `A` has 64 rows (64 columns with `transpose_a`).
    * C3: K is a multiple of 16; N is a multiple of 8, and at most 256.
    * C4: `transpose_a` asks for a tile.

    Created by `convert-attn-to-attn-gpu`; `convert-attn-gpu-to-nvvm` turns it
    into one group of `wgmma.mma_async`.

    ```mlir
    // The scores of a query tile and a key tile.
    %started = attn_gpu.mma %q, %k transpose_b : !attn_gpu.tile<64x64xbf16>,
        !attn_gpu.tile<128x64xbf16> -> vector<64x128xf32>
    %s = attn_gpu.mma_wait %started : vector<64x128xf32>
    ```
  }];
  let arguments = (ins AttnGPU_Operand16:$a, AttnGPU_TileType:$b,
                       Optional<AttnGPU_Fragment>:$c,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs AttnGPU_InFlightType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    VectorType getFragmentType() { return getResult().getType().getFragment(); }
    /// Extent of the contracted dimension.
    int64_t getContraction();
  }];
}

def AttnGPU_MmaWaitOp : AttnGPU_Op<"mma_wait", [
    MemoryEffects<[MemRead, MemWrite]>
  ]> {
  let summary = "Waits for a product";
  let description = [{
    Waits until at most the last `pending` products that the warpgroup has
    started are still in flight; `product` must not be one of these. Gives its
    registers back.

    Constraints:
    * C1: the result is the fragment in flight.
    * C2: `pending` is between 0 and 7.

    Created with the product by `convert-attn-to-attn-gpu`, moved away from it
    by `attn-gpu-pipeline`; `convert-attn-gpu-to-nvvm` turns it into
    `wgmma.wait_group`.

    ```mlir
    %s = attn_gpu.mma_wait %started pending 1 : vector<64x128xf32>
    ```
  }];
  let arguments = (ins AttnGPU_InFlightType:$product,
                       DefaultValuedAttr<AttnGPU_IntAttr, "0">:$pending);
  let results = (outs AttnGPU_Fragment:$fragment);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def AttnGPU_RowReduceOp : AttnGPU_Op<"row_reduce", [Pure]> {
  let summary = "Reduces along rows";
  let description = [{
    From a fragment, or from partial results, to partial results or to one value
    a row:

    * `vector<64xN>` to `vector<64x4>`: column `p` of the result is the
      reduction of the columns `j` with `(j/2) mod 4 = p`, those of one lane:
      nothing is exchanged.
    * `vector<64xN>` or `vector<64x4>` to `vector<64x1>`: the row's reduction;
      the four lanes of a quad exchange theirs.

    The order of a sum is fixed by the shape alone, so results repeat.

    Constraints:
    * C1: the shapes are one of the pairs above; one f32 element type.
    * C2: `kind` is `add`, `maxnumf` or `minnumf`.

    Created by `convert-attn-to-attn-gpu`; `convert-attn-gpu-to-nvvm` consumes
    it.

    ```mlir
    %m = attn_gpu.row_reduce <maxnumf> %s
        : vector<64x128xf32> -> vector<64x1xf32>
    %l = attn_gpu.row_reduce <add> %p : vector<64x128xf32> -> vector<64x4xf32>
    ```
  }];
  let arguments = (ins Vector_CombiningKindAttr:$kind,
                       VectorOfRankAndType<[2], [F32]>:$source);
  let results = (outs VectorOfRankAndType<[2], [F32]>:$result);
  let assemblyFormat = [{
    $kind $source attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnGPU_ScaleRowsOp : AttnGPU_Op<"scale_rows", [
    Pure, AllTypesMatch<["fragment", "result"]>
  ]> {
  let summary = "Multiplies rows by factors that are mostly 1";
  let description = [{
    ```
    result[i, j] = fragment[i, j] * factors[i, 0]
    ```

    The bits are those of `arith.mulf` by the broadcast factors; zeros that are
    known stay zeros, whatever the factors. A warp whose 16 rows all have the factor
    1 multiplies nothing: what a kernel carries from tile to tile is multiplied only
    where a row's reference has moved. With `always` no warp looks: for factors that
    are seldom 1.

    Constraints:
    * C1: the fragment is `vector<64xNxf32>`, the factors are `vector<64x1xf32>`.

    Created by `convert-attn-to-attn-gpu`; `convert-attn-gpu-to-nvvm` turns it
    into a vote of the warp and products under a condition.

    ```mlir
    %y = attn_gpu.scale_rows %x by %f : vector<64x128xf32>, vector<64x1xf32>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$fragment,
                       VectorOfRankAndType<[2], [F32]>:$factors,
                       UnitAttr:$always);
  let results = (outs AttnGPU_Fragment:$result);
  let assemblyFormat = [{
    $fragment `by` $factors (`always` $always^)? attr-dict `:` type($fragment) `,` type($factors)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def AttnGPU_MakeNowOp : AttnGPU_Op<"make_now", [MemoryEffects<[MemWrite]>]> {
  let summary = "Makes a value before what follows";
  let description = [{
    `value`, and what it is made of, is made here, before waits, products and
    signals that follow. Without it an assembler may make it where it is used: ptxas
    13.0 moves the exponentials of a softmax behind the wait for a product that they
    were to run beside. Changes no value.

    Constraints:
    * C1: the value is `vector<64x1xf32>` or `vector<64x4xf32>`.

    Created by `convert-attn-to-attn-gpu` behind the sum of a key tile's weights,
    where the schedule says `early_weights`; `convert-attn-gpu-to-nvvm` turns it
    into a store to a word that nobody reads, if the sum is below 0, which it is not.

    ```mlir
    attn_gpu.make_now %l : vector<64x4xf32>
    ```
  }];
  let arguments = (ins VectorOfRankAndType<[2], [F32]>:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def AttnGPU_IotaOp : AttnGPU_Op<"iota", [Pure]> {
  let summary = "Row or column numbers";
  let description = [{
    `vector<64x1>`: element `(i, 0)` is `i`. `vector<1xN>`: element `(0, j)` is
    `j`.

    Constraints:
    * C1: the result has one of these shapes and elements of type index or i32.

    Created by `convert-attn-to-attn-gpu` for the positions that masks compare;
    `convert-attn-gpu-to-nvvm` consumes it.

    ```mlir
    %column = attn_gpu.iota : vector<1x128xindex>
    ```
  }];
  let results = (outs VectorOfRankAndType<[2], [I32, Index]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUTILEOPS_TD
