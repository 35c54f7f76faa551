//===- AttnGPUDialect.td - The attn_gpu dialect ------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its types, and the constraints that its operations share.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUDIALECT_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def AttnGPU_Dialect : Dialect {
  let name = "attn_gpu";
  let cppNamespace = "::mlir::attn_gpu";
  let summary = "The program of one thread block on tiles";
  let description = [{
    A kernel is one program that every *warpgroup* (four warps, 128 threads) of
    a thread block runs on tiles. Nothing in it knows of attention.

    **Values in registers are builtin vectors** of one warpgroup, spread over
    its threads. Their shape says how:

    * `vector<64xNxT>`, a *fragment*: what a matrix product leaves in registers.
      Thread `t` of the warpgroup, in warp `w` and lane `l`, holds the elements
      `i = 0 .. N/2 - 1` at row `16 w + l/4 + 8 (i/2 mod 2)` and column
      `8 (i/4) + 2 (l mod 4) + i mod 2`. Pairs of 16-bit elements, packed in
      this order, are the A operand of a product (PTX ISA, wgmma register
      fragments).
    * `vector<64x4xT>`: one partial result for each row and lane of a quad (the
      four lanes that share a row).
    * `vector<64x1xT>`: one value for each row, the same in all lanes of a quad.
    * `vector<1xNxT>`: one value for each column, as the columns of a fragment.

    So elementwise work is `arith` and `math` on vectors, and `vector.broadcast`
    between these shapes. Scalars are uniform: all threads of the warpgroup hold
    the same.

    **Tiles** stand in shared memory (`!attn_gpu.tile`), swizzled so that both
    the tensor cores and the copy engine read them without bank conflicts.
    **Tensors in global memory** are builtin memrefs with unit stride in the
    last dimension.

    `convert-attn-to-attn-gpu` makes *synchronous* programs: `attn_gpu.read`
    gives a tile as a value, a product is waited for where it is started, and
    there is neither stage, barrier nor role. Later passes make copies and
    products asynchronous, and divide the work among warpgroups.
    `convert-attn-gpu-to-nvvm` consumes both forms.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Rows of a fragment: those of one matrix instruction of a warpgroup.
    static constexpr int64_t kFragmentRows = 64;
    /// Threads of a warpgroup.
    static constexpr int64_t kWarpgroupThreads = 128;
    /// Where rows that the copy engine moves begin: at multiples of this.
    static constexpr int64_t kCopiedBytes = 16;
  }];
}

class AttnGPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnGPU_Dialect, mnemonic, traits>;

class AttnGPU_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<AttnGPU_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def AttnGPU_TileType : AttnGPU_Type<"Tile", "tile"> {
  let summary = "A tile in shared memory";
  let description = [{
    `rows` rows of `columns` elements of bf16 or f16. Stored as panels of 64
    columns, one after the other; a panel is `rows` rows of 128 bytes, in which
    16-byte chunk `c` of row `r` stands at place `c xor (r mod 8)` (PTX ISA:
    128B swizzle). Panels are `panel_rows` rows apart: in some rows of a greater
    tile, more than `rows`, which is the default.

    Constraints:
    * C1: `rows` is a multiple of 8, `columns` of 64, both above 0.
    * C2: elements are bf16 or f16.
    * C3: `panel_rows` is a multiple of 8 and not less than `rows`.

    ```mlir
    !whole = !attn_gpu.tile<128x64xbf16>
    !part = !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    ```
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns,
                        "Type":$elementType, "int64_t":$panelRows);
  let builders = [
    TypeBuilderWithInferredContext<(ins "int64_t":$rows, "int64_t":$columns,
                                        "Type":$elementType), [{
      return $_get(elementType.getContext(), rows, columns, elementType, rows);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Columns of a panel.
    static constexpr int64_t kPanelColumns = 64;
    /// Rows after which the swizzle repeats.
    static constexpr int64_t kSwizzleRows = 8;
    /// Bytes of a row of a panel: the swizzle's span.
    static constexpr int64_t kPanelRowBytes = 128;
    int64_t getNumPanels() const { return getColumns() / kPanelColumns; }
    int64_t getPanelBytes() const { return getPanelRows() * kPanelRowBytes; }
    int64_t getBytes() const { return getNumPanels() * getPanelBytes(); }
  }];
}

def AttnGPU_InFlightType : AttnGPU_Type<"InFlight", "in_flight"> {
  let summary = "A fragment that the tensor cores are still writing";
  let description = [{
    The result of a product that has been started. Its only legal use is one
    `attn_gpu.mma_wait`: until then the registers belong to the tensor cores.

    ```mlir
    !attn_gpu.in_flight<vector<64x128xf32>>
    ```
  }];
  let parameters = (ins "VectorType":$fragment);
  let assemblyFormat = "`<` $fragment `>`";
}

def AttnGPU_RingType : AttnGPU_Type<"Ring", "ring"> {
  let summary = "A ring of tiles that copies fill and products read";
  let description = [{
    `stages` tiles of one type, with the barriers that say which are full and
    which are empty; see `attn_gpu.ring_create`.

    Constraints:
    * C1: 1 to 8 stages.

    ```mlir
    !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
    ```
  }];
  let parameters = (ins "int64_t":$stages, "TileType":$tile);
  let assemblyFormat = "`<` $stages `x` qualified($tile) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// Read as a signed number: an error must say what was written.
def AttnGPU_IntAttr : TypedSignlessIntegerAttrBase<
    I64, "int64_t", "64-bit signless integer attribute"> {
  let convertFromStorage = "$_self.getInt()";
}

//===----------------------------------------------------------------------===//
// Constraints on types
//===----------------------------------------------------------------------===//

// One of the four layouts of the dialect's description.
def AttnGPU_Fragment : Type<
  CPred<"::mlir::attn_gpu::isFragment($_self)">,
  "a fragment: a vector of 64 rows whose columns are a multiple of 8",
  "::mlir::VectorType">;
def AttnGPU_RowValues : Type<
  CPred<"::mlir::attn_gpu::isRowValues($_self)">,
  "a value for each row: a vector<64x1>", "::mlir::VectorType">;
def AttnGPU_Operand16 : AnyTypeOf<[AttnGPU_Fragment, AttnGPU_TileType],
  "a fragment or a tile">;
def AttnGPU_Global : MemRefOf<[AnyFloat]>;

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUDIALECT_TD
