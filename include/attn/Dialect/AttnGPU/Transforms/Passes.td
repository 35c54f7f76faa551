//===- Passes.td - From synchronous to asynchronous kernels *- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// synchronous kernel, made by convert-attn-to-attn-gpu
//   | attn-gpu-schedule-work
// thread blocks that stay and take one tile after the other
//   | attn-gpu-form-clusters
// thread blocks in clusters, each with a tile of its own of neighbouring ones
//   | attn-gpu-async-copy
// tiles come through rings of staged copies
//   | attn-gpu-stage-writes
// results go to shared memory and are copied out from there
//   | attn-gpu-pipeline
// the next step's products run beside this step's
//   | attn-gpu-warp-specialize
// producer and consumers, each a slice of the program
//   | attn-gpu-verify
// the same
//   | attn-gpu-split-loops
// a copy of the loop for each segment of its steps
//
// No pass knows of attention: they know loops, copies and products.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES
#define ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def AttnGPUScheduleWorkPass
    : Pass<"attn-gpu-schedule-work", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Decides which thread block works on what, and when";
  let description = [{
    Gives `attn_gpu.work_loop` its `schedule`: `once`, `strided` or `dynamic`.

    Where the bounds of a point's loops depend on its place in the last dimension,
    so that points differ in length, it also gives a `group`: as many points of
    the other dimensions as walk `group-bytes` of tensors, computed by the kernel
    from the tensors' extents. What loops read for a point is all rows and columns
    of the tensors that they read tiles of; points that differ only in a dimension
    that none of these reads depends on, the one before the last or several, read
    the same. So the longest points of many heads come first, and what they read
    fits the second-level cache. Points of one length stay in the order of
    extents: the tiles of one head come together.

    Comes before `attn-gpu-async-copy`, which counts over all points that a thread
    block runs. Results do not change.

    ```
    work_loop (%head, %tile) in (%heads, %tiles) descending [1] { ... }
    // becomes
    %bytes = dim %k, 1 * 64 * 2 + dim %v, 1 * 64 * 2
    %g = max(group-bytes / %bytes, 1)
    work_loop (%head, %tile) in (%heads, %tiles) descending [1] group %g
        schedule dynamic { ... }
    ```
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "How points come to thread blocks: once, strided or dynamic; empty: "
           "as the kernel's schedule says, else dynamic">,
    Option<"groupBytes", "group-bytes", "int64_t", /*default=*/"33554432",
           "What the points of a group read, in bytes; 0: no groups">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::attn_gpu::AttnGPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def AttnGPUFormClustersPass
    : Pass<"attn-gpu-form-clusters", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Lets neighbouring thread blocks share what they copy";
  let description = [{
    Gives the kernel clusters of `size` thread blocks: a point becomes `size`
    points that are neighbours in the last dimension, and each thread block of a
    cluster runs the one of its `attn_gpu.cluster_rank`. What they all read,
    `attn-gpu-async-copy` then copies once, to all of them. If the last extent is no
    multiple of `size`, the last cluster's ranks beyond it work on a tile outside
    of the tensors, of which nothing is written: all offsets of reads and writes must
    allow that.

    A kernel is left as it is where clusters are of no use or not possible: there is
    one point in the last dimension, known before; nothing
    that its loops read is the same for neighbours; bounds of loops differ between
    them (a causal mask), so that they would wait for each other; work loops are not
    `strided`; rows of what they share are no multiple of `size * 8`. A remark says so,
    and a warning, where the schedule asks for clusters. Comes after `attn-gpu-schedule-work` and before
    `attn-gpu-async-copy`. Results do not change.

    ```
    work_loop (%head, %tile) in (%heads, %tiles) schedule strided { ... %tile ... }
    // becomes
    work_loop (%head, %pair) in (%heads, ceildiv(%tiles, 2)) schedule strided {
      %rank = attn_gpu.cluster_rank
      ... 2 * %pair + %rank ...
    }
    ```
  }];
  let options = [
    Option<"size", "size", "int64_t", /*default=*/"0",
           "Thread blocks of a cluster, 1 to 8; 0: as the kernel's schedule says, "
           "else 1">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::attn_gpu::AttnGPUDialect"];
}

def AttnGPUAsyncCopyPass
    : Pass<"attn-gpu-async-copy", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Reads tiles through rings of staged copies";
  let description = [{
    Each `attn_gpu.read` becomes a ring: a fill and a wait where the tile was
    read, a release after its last use. A read in a loop gets `stages` stages,
    others `outer-stages` if the work loop around them is persistent, else one.
    How often a block has been run is counted by a value that all loops around it
    carry; the rings of a block share it. In a kernel with clusters the ring of a
    read that does not depend on `attn_gpu.cluster_rank` is `multicast`, if the
    tile's rows can be shared.

    A read under a condition, or outside an `attn_gpu.work_loop`, is an error:
    fills and waits would not match. So is a tile that its block yields: nobody
    would know when to release it. So is a last offset that is not known to be a
    multiple of 16 bytes: the copy engine begins rows nowhere else. Results do not
    change.

    ```
    %k = attn_gpu.read %source[...]
    %s = attn_gpu.mma %q, %k transpose_b
    %scores = attn_gpu.mma_wait %s
    // becomes
    attn_gpu.ring_fill %ring[%n] from %source[...]
    %k = attn_gpu.ring_wait %ring[%n]
    %s = attn_gpu.mma %q, %k transpose_b
    %scores = attn_gpu.mma_wait %s
    attn_gpu.ring_release %ring[%n]
    ```
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"0",
           "Stages of the ring of a read in a loop; 0: as the kernel's schedule "
           "says, else 2">,
    Option<"outerStages", "outer-stages", "int64_t", /*default=*/"0",
           "Stages of the ring of a read that is in a persistent work loop alone; "
           "0: 2 if shared memory allows it, else 1">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::attn_gpu::AttnGPUDialect"];
}

def AttnGPUStageWritesPass
    : Pass<"attn-gpu-stage-writes", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Writes fragments through shared memory";
  let description = [{
    An `attn_gpu.write` of a fragment of 16-bit elements becomes an
    `attn_gpu.store_fragment` into a tile and an `attn_gpu.copy_out` of it, which
    goes on while the warpgroup does something else: the next tile. Before, an
    `attn_gpu.copy_wait read` says that the tile's last copy has been read; where
    the kernel ends, an `attn_gpu.copy_wait` waits for all.

    The tile has the rows of all warpgroups, each its own. It is, in this order:

    * memory of its own, if the kernel then has at most `shared-bytes` in all;
    * that of another write, of the same type;
    * memory of its own for half of the columns, a quarter, ...: the write is done
      in as many parts, each of which waits until the one before has been read;
    * a tile of a ring that the same block has waited for and released before, of
      which each warpgroup has used its own rows only, and whose ring is not used
      between the release and the write: it is released when the
      copy has been read, so that its next fill comes later;
    * none: the write stays as it is.

    A write stays, too, if the copy engine cannot do it: a tensor of more than 5
    dimensions, strides known not to be multiples of 16 bytes, columns that are
    not a multiple of 64 or do not begin at a known multiple of 16 bytes, rows of
    the tensor that are not known to be such. Strides that only a launch knows must be multiples of 16
    bytes there, and the tensor's address, as for tensors that are copied in.

    Comes after `attn-gpu-async-copy`, which takes most of the memory. Results do
    not change.

    ```
    attn_gpu.write %out to %o[...]
    // becomes
    attn_gpu.copy_wait read
    attn_gpu.store_fragment %out to %mine
    attn_gpu.copy_out %mine to %o[...]
    ```
  }];
  let options = [
    Option<"sharedBytes", "shared-bytes", "int64_t",
           /*default=*/"::mlir::attn::sm90::kMaxSharedBytes",
           "Shared memory that the kernel may have, in bytes: sm_90's">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::attn_gpu::AttnGPUDialect"];
}

def AttnGPUPipelinePass
    : Pass<"attn-gpu-pipeline", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Runs the products of two steps of a loop side by side";
  let description = [{
    In a loop whose step starts a product that depends on another product of the
    same step, the last of them is delayed by one step: each step of the new loop
    starts the first product of step `j`, then the last product of step `j - 1`,
    works on the results of the first while the last still runs, and only then
    waits for that. What feeds a product from registers is not made while one is
    in flight. The first and the last instance stand before and behind the loop.

    A loop that might make no step is guarded by a condition, with the loop's
    initial values as the alternative. Loops are left as they are where a step has
    one product or more than two, where its products do not depend on each other,
    or where one is not waited for in its step. Results do not change.

    With `flatten`, persistent work loops around such a loop are treated alike: what
    stands behind the loop, the last product and what becomes of its result, is
    delayed to the next point, where it runs beside the first product of that.
    Before the first point there is no last product; one of zeros, with a tile from
    outside of the tensor, takes its place, and its results are not written. A work
    loop is left as it is where the inner loop might make no step, or where a ring
    that is filled once a point has a single stage: the next point's tile must be
    there before this point's end.

    ```
    for j:  s = A(j) * B(j);  p = f(s);  d = p * C(j) + d
    // becomes
    s = A(0) * B(0);  p = f(s)
    for j = 1..:  start s = A(j) * B(j);  start d = p * C(j-1) + d
                  wait s;  f(s);  wait d;  p = f(s)
    d = p * C(n-1) + d
    ```
  }];
  let options = [
    Option<"flatten", "flatten", "bool", /*default=*/"true",
           "Delay the end of a point to the next point, unless the kernel's "
           "schedule says otherwise">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::attn_gpu::AttnGPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def AttnGPUWarpSpecializePass
    : Pass<"attn-gpu-warp-specialize", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Slices a kernel into a producer and its consumers";
  let description = [{
    The producer is the slice of the program that its `attn_gpu.ring_fill`s need;
    the consumers are the slice that everything else needs. Loops stand in both,
    each carrying what it needs.

    With `turns`, consumers take turns at the tensor cores: in each innermost loop
    with products, a turn lasts from the first product to the last one that is
    started before any is waited for.

    A kernel without `attn_gpu.ring_fill` is left as it is. Results do not change.

    ```
    for j:  fill(j);  wait(j);  use(j);  release(j)
    // becomes
    producer:   for j:  fill(j)
    consumers:  for j:  wait(j);  use(j);  release(j)
    ```
  }];
  let options = [
    Option<"producerRegisters", "producer-registers", "int64_t",
           /*default=*/"0", "Registers of a producer thread; 0: by the number "
           "of consumers">,
    Option<"consumerRegisters", "consumer-registers", "int64_t",
           /*default=*/"0", "Registers of a consumer thread; 0: by the number "
           "of consumers">,
    Option<"turns", "turns", "bool", /*default=*/"true",
           "Consumers take turns at the tensor cores, unless the kernel's "
           "schedule says that they do not">
  ];
  let dependentDialects = ["::mlir::attn_gpu::AttnGPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def AttnGPUSplitLoopsPass
    : Pass<"attn-gpu-split-loops", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Makes a copy of a loop for each segment of its steps";
  let description = [{
    Where the body of a loop with step 1 compares the induction variable with a
    bound that the loop does not change (`arith.cmpi slt` or `sge`), the loop is
    split at that bound into two, one after the other, in which the comparison is
    decided. What the loop carries goes from one to the next; nothing is waited
    for in between. So a mask that only the first steps need is not looked at in
    the others.

    With several bounds this goes on until no comparison is left. Results do not
    change.

    ```
    for j = 0..n:  if j < k: x  else: y
    // becomes
    for j = 0..min(k, n): x;  for j = max(min(k, n), 0)..n: y
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def AttnGPUVerifyPass : Pass<"attn-gpu-verify", "::mlir::attn_gpu::KernelOp"> {
  let summary = "Reports what is wrong with an asynchronous kernel";
  let description = [{
    Changes nothing. Looks at all paths of the program, at no input, and reports
    everything that it finds, each at its operation. Errors:

    * Products: one that is not used exactly once; a wait whose `pending` leaves its
      own product in flight; arms of a condition, or steps of a loop, that leave
      different products in flight; an `attn_gpu.ring_release` of, or an
      `attn_gpu.store_fragment` to, a tile that a product in flight reads.
    * Reads: an `attn_gpu.read` in a loop that carries tiles or products in flight,
      which it overwrites: `attn-gpu-pipeline` without `attn-gpu-async-copy`.
    * Rings: counts of fills, waits and releases that do not go up by one on every
      path; steps, arms or roles that run them unequally often; a release without a
      wait, a wait without a fill; a tile that is used after its release; a program
      that waits for what it does itself later. A second wait for the same fill is
      no fault.
    * Turns: taken twice, passed without being had, kept; had at the end of a loop's
      step or of one arm, but not at the begin or in the other.
    * Staged writes: a tile that is overwritten while it may still be copied;
      a copy that the kernel's end does not wait for; a tile that is used, but
      never stored to, or the reverse.
    * Divergence: what a warpgroup's threads run together under a condition that each
      decides for itself (a scalar taken from a vector); what all warpgroups run
      alike (rings, turns, `attn_gpu.read`) under a condition, in a loop or with
      an operand that depends on `attn_gpu.warpgroup_index`; what all thread blocks of
      a cluster run alike (fills, waits and releases of a `multicast` ring) under
      one that depends on `attn_gpu.cluster_rank`.
    * Budgets: more shared memory, threads or registers than a thread block has.

    Warnings, since they cost speed only:

    * an operand in registers that is made while a product is in flight (ptxas:
      C7513);
    * a condition that threads decide differently while a product is in flight
      (C7518);
    * vectors that need more registers than the consumers may use: an estimate from
      below, of those that live at one point.

    The pipelines `attn-to-attn-gpu` and `attn-to-cuda`, and so the simulator of
    `attn-run`, have it before `attn-gpu-split-loops`, which makes many loops of one
    and, of static ones, steps that stand alone. It does not run a program, so it
    sees neither what depends on how many steps a loop makes nor whether roles wait
    for each other in a circle over several rings; the simulator does
    (docs/Rationale/AttnGPU.md).

    ```
    attn_gpu.ring_release %ring[%n]
    // 'attn_gpu.ring_release' op gives a tile back that a product in flight reads
    %s = attn_gpu.mma_wait %started
    ```
  }];
}

#endif // ATTN_DIALECT_ATTNGPU_TRANSFORMS_PASSES
