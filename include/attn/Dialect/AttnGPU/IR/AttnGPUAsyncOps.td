//===- AttnGPUAsyncOps.td - Asynchronous programs ----------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rings of staged copies, roles of warpgroups, and whose turn it is.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUASYNCOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUASYNCOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

def AttnGPU_RingCreateOp : AttnGPU_Op<"ring_create", [
    HasParent<"KernelOp">, MemoryEffects<[MemAlloc]>
  ]> {
  let summary = "Makes a ring of tiles in shared memory";
  let description = [{
    A ring of `stages` tiles, each with two barriers (PTX ISA: mbarrier):
    *full*, which a landed copy completes, and *empty*, which the consumers
    complete. Fill number `n`, counted from 0 over the life of the thread block,
    uses stage `n mod stages`. All stages start empty.

    A `multicast` ring is filled by the thread blocks of a cluster together: all of
    them start the same fills, of the same tiles, in the same order, and each copies
    its share of a tile's rows to all of them, so that a tile is read once for the
    cluster. A stage is empty when the consumers of all have released it, and full
    when all shares have landed.

    Constraints:
    * C1: `multicast` needs a kernel with clusters, and a tile whose rows they can
      share in multiples of 8.
    * C2: fills, waits and releases of a `multicast` ring do not depend on
      `attn_gpu.cluster_rank` (`attn-gpu-verify` checks it).

    Created by `attn-gpu-async-copy` for each `attn_gpu.read`;
    `convert-attn-gpu-to-nvvm` gives it shared memory.

    ```mlir
    %ring = attn_gpu.ring_create
        : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
    ```
  }];
  let arguments = (ins UnitAttr:$multicast);
  let results = (outs AttnGPU_RingType:$ring);
  let assemblyFormat = [{
    (`multicast` $multicast^)? attr-dict `:` qualified(type($ring))
  }];
  let hasVerifier = 1;
}

def AttnGPU_RingFillOp : AttnGPU_Op<"ring_fill", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "Starts a copy into a ring";
  let description = [{
    Waits until stage `count mod stages` is empty, that is until fill `count -
    stages` was released by every consumer, then starts the copy of the tile at
    `offsets` (as `attn_gpu.read` says) by the copy engine. Returns before it
    has landed. One thread does it, whoever runs this.

    Constraints:
    * C1 to C4: as those of `attn_gpu.read`.
    * C5: fills of a ring are started in the order of their counts, each once.
    * C6: the last offset is a multiple of 16 bytes: the copy engine begins no
      row anywhere else (the others are free, below 0 included).

    Created by `attn-gpu-async-copy`; `convert-attn-gpu-to-nvvm` turns it into
    `mbarrier.arrive.expect_tx` and `cp.async.bulk.tensor`.

    ```mlir
    attn_gpu.ring_fill %ring[%n] from %k[%b, %h, %row, %c0]
        : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>, memref<?x?x?x64xbf16>
    ```
  }];
  let arguments = (ins AttnGPU_RingType:$ring, Index:$count,
                       AttnGPU_Global:$source, Variadic<Index>:$offsets,
                       OptionalAttr<AttnGPU_IntAttr>:$row_dim);
  let assemblyFormat = [{
    $ring `[` $count `]` `from` $source `[` $offsets `]`
    (`row_dim` $row_dim^)? attr-dict
    `:` qualified(type($ring)) `,` type($source)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension that the tile's rows run along.
    int64_t getRowDimension() {
      return getRowDim().value_or(getSource().getType().getRank() - 2);
    }
  }];
}

def AttnGPU_RingWaitOp : AttnGPU_Op<"ring_wait", [
    MemoryEffects<[MemRead, MemWrite]>
  ]> {
  let summary = "Waits until a copy has landed";
  let description = [{
    Waits for fill `count` and gives its tile, which stays as it is until
    `attn_gpu.ring_release` of the same count.

    Created by `attn-gpu-async-copy` where the tile was read;
    `convert-attn-gpu-to-nvvm` turns it into `mbarrier.try_wait.parity`.

    ```mlir
    %tile = attn_gpu.ring_wait %ring[%n]
        : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
    ```
  }];
  let arguments = (ins AttnGPU_RingType:$ring, Index:$count);
  let results = (outs AttnGPU_TileType:$tile);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def AttnGPU_RingReleaseOp : AttnGPU_Op<"ring_release", [
    MemoryEffects<[MemRead, MemWrite]>
  ]> {
  let summary = "Gives a stage back";
  let description = [{
    Says that this warpgroup reads the tile of fill `count` no more. Products
    that read it must have been waited for. Each consumer does it once for each
    fill.

    Created by `attn-gpu-async-copy` after the tile's last use;
    `convert-attn-gpu-to-nvvm` turns it into `mbarrier.arrive` by one lane of
    each warp.

    ```mlir
    attn_gpu.ring_release %ring[%n]
        : !attn_gpu.ring<2 x !attn_gpu.tile<128x64xbf16>>
    ```
  }];
  let arguments = (ins AttnGPU_RingType:$ring, Index:$count);
  let assemblyFormat = [{
    $ring `[` $count `]` attr-dict `:` qualified(type($ring))
  }];
}

//===----------------------------------------------------------------------===//
// Staged writes
//===----------------------------------------------------------------------===//

def AttnGPU_TileCreateOp : AttnGPU_Op<"tile_create", [
    HasParent<"KernelOp">, MemoryEffects<[MemAlloc]>
  ]> {
  let summary = "Shared memory for a tile";
  let description = [{
    A tile of the thread block, from the start to the end of the kernel; what is
    in it at first is not said.

    Created by `attn-gpu-stage-writes`; `convert-attn-gpu-to-nvvm` gives it
    shared memory.

    ```mlir
    %stage = attn_gpu.tile_create : !attn_gpu.tile<128x64xbf16>
    ```
  }];
  let results = (outs AttnGPU_TileType:$tile);
  let assemblyFormat = "attr-dict `:` qualified(type($tile))";
}

def AttnGPU_StoreFragmentOp : AttnGPU_Op<"store_fragment", [
    MemoryEffects<[MemWrite]>
  ]> {
  let summary = "Puts a fragment into a tile";
  let description = [{
    The reverse of `attn_gpu.load_fragment`, by one warpgroup: element `(i, j)` of
    the tile becomes `fragment[i, column + j]`. Products and copies that read the
    tile must be done (`attn_gpu.mma_wait`, `attn_gpu.copy_wait`); copies by the
    engine that start afterwards see what is stored.

    Constraints:
    * C1: the tile has 64 rows; the fragment has its element type and as many
      columns, or more.
    * C2: `column` (0 if it is not there) is a multiple of 16, and the fragment has
      the tile's columns from there on.

    Created by `attn-gpu-stage-writes`; `convert-attn-gpu-to-nvvm` turns it into
    `stmatrix`.

    ```mlir
    attn_gpu.store_fragment %out to %mine : vector<64x64xbf16>,
        !attn_gpu.tile<64x64xbf16, panel_rows = 128>
    ```
  }];
  let arguments = (ins AttnGPU_Fragment:$fragment, AttnGPU_TileType:$tile,
                       DefaultValuedAttr<AttnGPU_IntAttr, "0">:$column);
  let assemblyFormat = [{
    $fragment (`column` $column^)? `to` $tile attr-dict
    `:` type($fragment) `,` qualified(type($tile))
  }];
  let hasVerifier = 1;
}

def AttnGPU_CopyOutOp : AttnGPU_Op<"copy_out", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
  ]> {
  let summary = "Starts a copy of a tile to global memory";
  let description = [{
    The reverse of `attn_gpu.read`, by one warpgroup and the copy engine:
    element `(i, j)` goes to `offsets` plus `i` along `row_dim` and `j` along
    the last dimension; elements outside the tensor are dropped. Meets the
    threads of the warpgroup, whose `attn_gpu.store_fragment`s it sees; one of
    them starts the copy. Returns before the tile has been read: see
    `attn_gpu.copy_wait`.

    Constraints:
    * C1 to C4: as those of `attn_gpu.read`.
    * C5: the last offset is a multiple of 16 bytes, as in `attn_gpu.ring_fill`, and
      so is a row of the tensor: the copy engine writes whole units.
    * C6: no offset is below 0.

    Created by `attn-gpu-stage-writes`; `convert-attn-gpu-to-nvvm` turns it into
    `cp.async.bulk.tensor` and a bulk group.

    ```mlir
    attn_gpu.copy_out %mine to %o[%b, %h, %row, %c0]
        : !attn_gpu.tile<64x64xbf16, panel_rows = 128>, memref<?x?x?x64xbf16>
    ```
  }];
  let arguments = (ins AttnGPU_TileType:$tile, AttnGPU_Global:$destination,
                       Variadic<Index>:$offsets,
                       OptionalAttr<I64Attr>:$row_dim);
  let assemblyFormat = [{
    $tile `to` $destination `[` $offsets `]` (`row_dim` $row_dim^)? attr-dict
    `:` qualified(type($tile)) `,` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension that the tile's rows run along.
    int64_t getRowDimension() {
      return getRowDim().value_or(getDestination().getType().getRank() - 2);
    }
  }];
}

def AttnGPU_CopyWaitOp : AttnGPU_Op<"copy_wait", [
    MemoryEffects<[MemRead, MemWrite]>
  ]> {
  let summary = "Waits for copies to global memory";
  let description = [{
    Waits for all copies that the warpgroup has started with
    `attn_gpu.copy_out`: with `read` until their tiles have been read, so that
    these may be overwritten, else until they are complete. Meets the threads of
    the warpgroup.

    Created by `attn-gpu-stage-writes` before a tile is overwritten and, without
    `read`, where the kernel ends, whose shared memory must not go before;
    `convert-attn-gpu-to-nvvm` turns it into `cp.async.bulk.wait_group` and a
    named barrier.

    ```mlir
    attn_gpu.copy_wait read
    ```
  }];
  let arguments = (ins UnitAttr:$read);
  let assemblyFormat = "(`read` $read^)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Roles and turns
//===----------------------------------------------------------------------===//

def AttnGPU_WarpSpecializeOp : AttnGPU_Op<"warp_specialize", [
    HasParent<"KernelOp">, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">, NoRegionArguments
  ]> {
  let summary = "Divides a kernel into roles";
  let description = [{
    One more warpgroup, the *producer*, runs the first region, in which a single
    thread is at work: scalars, loops and `attn_gpu.ring_fill` only. The
    kernel's own warpgroups, the *consumers*, run the second, all of them the
    same program. `producer_registers` and `consumer_registers` are what a
    thread of each may use (PTX ISA: setmaxnreg).

    Constraints:
    * C1: registers are multiples of 8 from 24 to 256, and all threads together
      need at most 65536.
    * C2: the producer region holds no operation on tiles or fragments.
    * C3: the consumer region holds no `attn_gpu.ring_fill`.

    Created by `attn-gpu-warp-specialize`; `convert-attn-gpu-to-nvvm` consumes
    it.

    ```mlir
    attn_gpu.warp_specialize producer 24 {
      attn_gpu.ring_fill %ring[%c0] from %x[%c0, %c0]
          : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>, memref<?x64xbf16>
    } consumers 240 {
      %tile = attn_gpu.ring_wait %ring[%c0]
          : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
      %a = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16>
          -> vector<64x64xbf16>
      attn_gpu.ring_release %ring[%c0]
          : !attn_gpu.ring<2 x !attn_gpu.tile<64x64xbf16>>
      attn_gpu.write %a to %y[%c0, %c0] : vector<64x64xbf16>, memref<?x64xbf16>
    }
    ```
  }];
  let arguments = (ins AttnGPU_IntAttr:$producer_registers,
                       AttnGPU_IntAttr:$consumer_registers);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = [{
    `producer` $producer_registers $producer
    `consumers` $consumer_registers $consumer attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def AttnGPU_TurnWaitOp : AttnGPU_Op<"turn_wait", [
    MemoryEffects<[MemRead, MemWrite]>
  ]> {
  let summary = "Waits for this warpgroup's turn";
  let description = [{
    Consumers take turns: warpgroup 0 first, then 1, and so on around. Between
    `turn_wait` and `turn_pass` a warpgroup has the tensor cores to itself, so
    that products of one run while another does its elementwise work. Every
    consumer takes as many turns as every other; with one consumer there is
    nothing to wait for.

    Created by `attn-gpu-warp-specialize` around the products of a loop's step;
    `convert-attn-gpu-to-nvvm` turns it into a named barrier.

    ```mlir
    attn_gpu.turn_wait
    %started = attn_gpu.mma %a, %b : vector<64x64xbf16>,
        !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
    attn_gpu.turn_pass
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def AttnGPU_TurnPassOp : AttnGPU_Op<"turn_pass", [
    MemoryEffects<[MemRead, MemWrite]>
  ]> {
  let summary = "Passes the turn to the next warpgroup";
  let description = [{
    See `attn_gpu.turn_wait`, which it follows.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUASYNCOPS_TD
