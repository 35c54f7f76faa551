//===- Passes.td - Tile programs to NVVM -------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass that lowers kernels of attn_gpu to functions for NVIDIA GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNGPUTONVVM_PASSES
#define ATTN_CONVERSION_ATTNGPUTONVVM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertAttnGPUToNVVMPass
    : Pass<"convert-attn-gpu-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lower attn_gpu kernels to one thread's program in NVVM";
  let description = [{
    Each `attn_gpu.kernel` becomes an `llvm.func` for sm_90a: the program of one
    thread. `arith`, `math`, `scf` and `vector` stay, on what one thread holds;
    `attn-gpu-to-llvm` takes them to the LLVM dialect.

    **Values.** A vector of a warpgroup becomes the vector of the elements that
    a thread holds: `vector<64xNxT>` becomes `vector<(N/2)xT>`, `vector<64x1xT>`
    and `vector<64x4xT>` become `vector<2xT>`, `vector<1xNxT>` becomes
    `vector<(N/4)xT>`, in the order of the dialect's layouts. A product in
    flight becomes the vector of its fragment. A tile becomes a pointer to
    shared memory. Scalars are as they were, the same in all threads.

    **Parameters.** An argument `index` becomes `i64`, other scalars stay. A
    memref becomes a pointer to its element 0 (its offset added), then the
    dynamic ones of its extents, then the dynamic ones of its strides, in
    elements, `i64` each; parameters that the body does not use are left out.
    What stands where is told by attributes of the function:

    * `attn_gpu.parameters`: for each parameter, in order, `kind` (`"pointer"`,
      `"extent"`, `"stride"`, `"scalar"`, `"counter"` or `"tile_map"`),
      `argument` (of the kernel; a counter is of none) and, for extents and
      strides, `dimension`;
    * `attn_gpu.dynamic_shared_bytes`: the dynamic shared memory of a launch;
    * `attn_gpu.cluster`, where it is not 1: thread blocks of a cluster;
    * `attn_gpu.persistent`: thread blocks run one point after the other, so that
      a launch needs no more of them than run at once;
    * `nvvm.reqntid`: the threads of a block.

    **Tile maps.** What `attn_gpu.ring_fill` and `attn_gpu.copy_out` copy goes
    through maps (`CUtensorMap`), the last parameters, 128 bytes each by value;
    copies of one argument, row dimension and number of rows share one. Its entry has
    `argument`, `row_dimension`, and what does not depend on the tensor: `rows`
    and `columns` of a box, `swizzle` in bytes. The map's dimensions are those
    of the tensor, the last one first; its box is `columns` in the first, `rows`
    in that of `row_dimension`, 1 in the others; elements outside the tensor are
    0, or dropped. Base, extents and strides are the tensor's.

    **Work.** `attn_gpu.work_loop` gives block `blockIdx.x` of a launch the
    point of that number, if there is one. A persistent one goes on: its points
    come through two slots in shared memory, which the producer fills and all
    consumers read, between barriers as those of a ring; without roles the first
    thread of the block does, between barriers of all. The next number of a
    `strided` loop is `gridDim.x` further. That of a `dynamic` one is fetched
    from the counter, the address of a 32-bit word in global memory, which is 0
    when the launch starts and again when it ends; launches that overlap must not
    share one.

    **Staged writes.** `attn_gpu.copy_out` and `attn_gpu.copy_wait` are
    instructions of the first thread of the warpgroup, predicated, beside a named
    barrier of its own for each warpgroup; those of turns come before.

    **Rings.** Stages and their barriers (`mbarrier`) stand in dynamic shared
    memory, made by one thread before anything else. A fill is done by one
    thread: it waits for the empty barrier, then starts a copy for each panel of
    64 columns, which completes the full barrier. Fills in a kernel without
    roles are done by the first thread of the block while its warp waits.

    **Roles.** `attn_gpu.warp_specialize` adds a warpgroup, the block's first:
    the producer. One thread of it runs the first region. Turns are named
    barriers, one for each consumer; consumer 0 has the first turn.

    **Tiles.** Each `attn_gpu.read` has a buffer of its own in dynamic shared
    memory. All threads copy, 16 bytes at a time where base, strides and bounds
    allow it (decided at run time, the same for all threads), else element by
    element; elements outside the tensor are 0. Barriers stand before, so that
    the buffer's last readers are done, and after; one pair of barriers serves
    reads that follow each other.

    **Numerics.** Products are those of `wgmma`. `math.exp2` and `math.log2` of
    f32 are the hardware's approximations (2 ulp), `arith.divf` of f32 is
    `div.full` (2 ulp), subnormal f32 become 0. A `row_reduce` adds four
    interleaved chains, then these, then the lanes of a quad.

    Constraints:
    * C1: vectors have one of the dialect's layouts; constants are splats.
    * C2: beside `attn_gpu`, a kernel holds operations of `arith`, of `math` that
      the hardware has, `scf.for`, `scf.if`, `scf.while`, `vector.broadcast`
      and `memref.dim`.
    * C3: tiles and products in flight are not carried around a loop that holds
      an `attn_gpu.read`; each product is waited for.
    * C4: tensors are arguments of the kernel; elements have 16 or 32 bits.
    * C5: tiles and rings fit the shared memory of a block, 227 KiB; turns
      and staged writes its 16 named barriers, of which one is that of all.
    * C6: a tensor that a ring is filled from or a tile is copied to is an
      argument and has at most 5 dimensions, and offsets fit 32 bits (not
      checked).
    * C7: operations on a ring name the result of its `attn_gpu.ring_create`; a
      ring that is waited for is filled, one that is filled is released.
    * C8: in a kernel with roles, of which it has one pair, everything with an
      effect is in one of them, and nothing is an `attn_gpu.read`. Their
      registers are no more than the threads start with: `65536 / threads`,
      rounded down to a multiple of 8, for each. The producer knows no
      `attn_gpu.warpgroup_index`, releases nothing, waits for no copy and has no
      turn.
    * C9: a persistent `attn_gpu.work_loop` is the kernel's only one, or each role
      has one, with the same extents and schedule.

    ```mlir
    attn_gpu.kernel @fill(%to: memref<?x1xf32>, %value: f32) warpgroups 1 {
      %c0 = arith.constant 0 : index
      %values = vector.broadcast %value : f32 to vector<64x1xf32>
      attn_gpu.write %values to %to[%c0, %c0] : vector<64x1xf32>, memref<?x1xf32>
      attn_gpu.return
    }
    ```
    becomes
    ```
    llvm.func @fill(%to: !llvm.ptr<1>, %extent: i64, %value: f32) attributes {
      attn_gpu.dynamic_shared_bytes = 0 : i64,
      attn_gpu.parameters = [
        {argument = 0 : i64, kind = "pointer"},
        {argument = 0 : i64, dimension = 0 : i64, kind = "extent"},
        {argument = 1 : i64, kind = "scalar"} ],
      nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128>
    } { ... }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // ATTN_CONVERSION_ATTNGPUTONVVM_PASSES
