//===- Passes.td - CPU code generation passes -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes from linalg on tensors inside loops to what the LLVM dialect
// conversions take. None of them knows about attention.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_CPU_PASSES
#define ATTN_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def AnchorLoopStatePass : Pass<"attn-anchor-loop-state"> {
  let summary = "Tie the tensors carried by scf.for to one buffer each";
  let description = [{
    One-shot bufferization requires that a loop yields, for each carried tensor,
    the buffer it was given. The state of an online softmax breaks this in a
    natural way: the old maximum is still read after the new one exists. This
    pass yields every carried tensor through
    `bufferization.materialize_in_destination`, which bufferizes to nothing
    where the value was computed in place and to a copy of that one tensor
    where it was not.

    Runs before bufferization. Numerics do not change.

    ```mlir
    %r = scf.for %i = %lo to %hi step %c1 iter_args(%m = %m0) -> (tensor<64xf32>) {
      %n = "some.op"(%m) : (tensor<64xf32>) -> tensor<64xf32>
      scf.yield %n : tensor<64xf32>
    }
    ```
    yields `bufferization.materialize_in_destination %n in %m`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def RematerializeFillsPass : Pass<"attn-rematerialize-fills"> {
  let summary = "Give every use of a filled tensor a fill of its own";
  let description = [{
    Common-subexpression elimination makes one value of all zero tensors of one
    type: the scores of every key tile then start from the tensor that the
    accumulator starts from, before the loop. As buffers they are written over,
    so that the shared one would be copied for each. This pass repeats static
    `linalg.fill` of `tensor.empty` before each user, inside loops too.

    Runs after the last such elimination and before bufferization. Numerics do
    not change.

    ```mlir
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = scf.for %i = %lo to %hi step %c1 iter_args(%a = %f) -> (tensor<4x4xf32>) {
      %s = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %s : tensor<4x4xf32>
    }
    ```
    fills once before the loop and once in it.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CollapseLoopStatePass : Pass<"attn-collapse-loop-state"> {
  let summary = "Carry tensors through loops in the shape the body computes on";
  let description = [{
    Where the body of an `scf.for` uses a carried static tensor only through
    `tensor.collapse_shape` to one type, the loop carries that type instead, and
    the reshapes stand before and after it. One-shot bufferization otherwise
    copies the tensor in every iteration: it does not see that what is yielded
    through `tensor.expand_shape` is the buffer that was collapsed.

    Runs on tensors, before `attn-anchor-loop-state`. Numerics do not change.

    ```mlir
    %r = scf.for %i = %lo to %hi step %c1 iter_args(%m = %m0) -> (tensor<1x64xf32>) {
      %c = tensor.collapse_shape %m [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
      %n = "some.op"(%c) : (tensor<64xf32>) -> tensor<64xf32>
      %e = tensor.expand_shape %n [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
      scf.yield %e : tensor<1x64xf32>
    }
    ```
    carries `tensor<64xf32>`.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def HoistTileInvariantsPass : Pass<"attn-hoist-tile-invariants"> {
  let summary = "Move invariant tensor computations out of serial loops";
  let description = [{
    Moves pure operations whose operands do not change out of `scf.for`: the
    scaled and transposed query tile is computed once, not once per key tile.
    Not moved are fills and operations that update a value: inside the loop they
    are written over, so that moving them would add a copy per iteration.

    Runs on tensors, before `attn-anchor-loop-state`. Numerics do not change.

    ```mlir
    scf.for %i = %lo to %hi step %c1 {
      %t = linalg.transpose ins(%q : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
      "some.use"(%t) : (tensor<8x4xf32>) -> ()
    }
    ```
    transposes before the loop, if `%e` is a `tensor.empty`.
  }];
}

def ExpandViewsPass : Pass<"attn-expand-views"> {
  let summary = "Compute the strides of memref.expand_shape";
  let description = [{
    `memref.expand_shape` becomes `memref.extract_strided_metadata` and
    `memref.reinterpret_cast`, for dynamic sizes and strides too. Runs before
    upstream's `expand-strided-metadata`, which handles every other view.
    Numerics do not change.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CPUVectorizePass : Pass<"attn-cpu-vectorize"> {
  let summary = "Turn linalg on buffers into loops over register blocks";
  let description = [{
    Every `linalg` operation and `memref.copy` becomes `scf.for` loops around
    `vector` and scalar operations:

    * C1: operands are buffers or scalars, indexing maps projected permutations;
      other operations become scalar loops (if they are on buffers at all).
    * Dimensions of extent one are dropped from `linalg.generic` first: with one
      query, keys and query are both contiguous along the head dimension.
    * The vector dimension is a static parallel dimension along which every
      operand that depends on it is contiguous, with at least four lanes
      dividing it. Without one the loops are scalar.
    * A contraction keeps a block of rows x vectors of its result in registers
      (see `MicroKernel`); its other operand is read as scalars and broadcast,
      never as vectors that are shuffled apart.
    * Other reductions keep a row of vectors in registers; elementwise bodies
      are unrolled over at most four vectors.
    * A sum over one dimension is added up in chunks of at most 16 steps, each
      from nothing, which then join the result.
    * Where no parallel dimension can, a reduction of sums, maxima, minima or
      bits runs along lanes; each lane reduces its own part, in its own order.
    * What does not vary along the vector dimension stays scalar, and every
      input is read at the outermost loop that determines its address.

    Runs after bufferization. Numerics: in reductions a product that is only
    added becomes a fused multiply-add (one rounding less). Sums are added in
    chunks, or along lanes, and not in the order of the scalar loop: always the
    same way for one `vector-bits`, and with less error.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "256",
           "Width of a vector register in bits: 128, 256 or 512">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
  ];
}

def ExpandMathPass : Pass<"attn-expand-math"> {
  let summary = "Expand mathematical functions on f32 into arithmetic";
  let description = [{
    Leaves no call into the C library per vector lane:

    * `math.exp2` becomes, with n the integer nearest to x and f = x - n,
      2^n * p(f), p a polynomial of degree 6 with p(0) = 1; the factor 2^n is
      added to the exponent bits. At most 2 ulp from the correctly rounded
      result; exact at integer x; results below 2^-126 become 0, NaN gives NaN,
      -inf 0, and x >= 128 +inf.
    * `math.exp`, `log`, `log2`, `log1p`, `expm1`, `tanh`, `erf`, `sin` and
      `cos` take MLIR's polynomial approximations, a few ulp.
    * `math.isfinite`, `isinf`, `isnan`, `isnormal` and `clampf` of any type become
      comparisons and selects.

    Other types and functions are left as they are: instructions of the CPU or
    calls of the C library by upstream's conversions. `attn-cpu-lower` has
    functions of f16 and bf16 computed in f32 before, so that every operation
    of the dialect compiles.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def CollapseParallelPass : Pass<"attn-collapse-parallel"> {
  let summary = "Make one parallel loop of directly nested ones";
  let description = [{
    An outermost bufferized `scf.forall` whose body holds one other `scf.forall`
    with bounds from outside, and nothing else with an effect, becomes one loop
    over both: split keys and query tiles then share the threads, rather than
    the few parts of the keys alone. Runs before buffers are placed, since an
    allocation between the loops keeps them apart. Numerics do not change.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def SinkScalarsPass : Pass<"attn-sink-scalars"> {
  let summary = "Move arithmetic on scalars past loops that do not use it";
  let description = [{
    A pure operation on integers, indices or floats whose users all stand behind a
    loop (or another operation with regions) of its block moves behind it, to
    the first of them; what computes its operands follows. So the bounds of the
    loop over a segment are computed before this loop, and not before loops of
    another segment or those that fill tiles. LLVM moves them too, but one by
    one and past one loop after the other, and each time looks at everything
    computed from it, a time that is quadratic in the number of parts of a mask.

    Runs last on structured control flow. Numerics do not change.

    ```mlir
    %b = arith.addi %a, %c : index
    scf.for %i = %c0 to %n step %c1 { memref.store %x, %m[%i] : memref<?xf32> }
    scf.for %i = %c0 to %b step %c1 { memref.store %x, %m[%i] : memref<?xf32> }
    ```
    computes `%b` between the loops.
  }];
}

def OwnEscapingBuffersPass : Pass<"attn-own-escaping-buffers", "::mlir::ModuleOp"> {
  let summary = "Free buffers that leave the block they are allocated in";
  let description = [{
    Programs of attention compute into destinations, and every allocation is freed
    in its own block. Where a user's `scf.if` yields tensors, a buffer leaves the
    block that it is allocated in. Only then does this pass run upstream's
    deallocation by ownership (`buffer-deallocation-pipeline`), on the whole
    module, and mark such allocations `attn.owned`: `attn-promote-tile-buffers`
    leaves them alone.

    Runs after bufferization, and before `attn-cpu-vectorize`, which lowers the
    copies that it may add. Numerics do not change.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
  ];
}

def PromoteTileBuffersPass
    : Pass<"attn-promote-tile-buffers", "::mlir::func::FuncOp"> {
  let summary = "Move tile buffers to the stack, free all others";
  let description = [{
    Every static `memref.alloc` inside a parallel loop moves to the start of the
    body of the outermost such loop; one outside of any to the start of
    the function. There it becomes a `memref.alloca` aligned to 64 bytes as long
    as the sum per scope stays within `max-stack-bytes`, and otherwise remains
    an allocation that is freed at the end of the scope. A dynamic allocation
    stays where it is and is freed at the end of its block.

    * C1: no buffer is yielded by or returned from the block it is allocated in,
      unless `attn-own-escaping-buffers` has marked it; one that is is an error
      at its allocation.

    The stack of a thread is thereby bounded by `max-stack-bytes` plus the
    spills of the body, whatever the trip counts: nothing is allocated inside a
    serial loop. Runs after bufferization, before outlining. Numerics do not
    change.
  }];
  let options = [
    Option<"maxStackBytes", "max-stack-bytes", "int64_t", "1048576",
           "Bytes of tile buffers per scope that may live on the stack">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def OutlineParallelPass : Pass<"attn-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Outline parallel loops into calls of the runtime's thread pool";
  let description = [{
    Each outermost `scf.forall` or `scf.parallel` (C1: bufferized, without
    results) becomes a private function `void body(void *context, int64_t
    index)` and a call

    ```c
    void attn_rt_parallel_for(void (*body)(void *context, int64_t index),
                              void *context, int64_t count);
    ```

    Captured values travel in a struct on the caller's stack; the induction
    variables are recovered from the linear index, the last one fastest. The
    order is reversed: the last iterations, which of causal attention are the
    longest, are handed out first, so that the threads finish together. Parallel
    loops inside become `scf.for`.

    Runs after bufferization. Numerics do not change.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
  ];
}

def IntegerMemoryPass : Pass<"attn-integer-memory"> {
  let summary = "Loads and stores bf16 as 16-bit integers";
  let description = [{
    In the LLVM dialect, after `arith-expand` has made conversions of bf16
    integer arithmetic: memory is read and written as i16, and the bitcasts to
    bf16 and back fold away. A CPU without bf16 has no registers for it: where a
    value of the type lives from one block to another, LLVM would convert it by
    a function (`__truncsfbf2`) that no library of the C language has. Results
    do not change.

    ```
    %x = llvm.load %p : !llvm.ptr -> bf16
    // becomes
    %i = llvm.load %p : !llvm.ptr -> i16
    %x = llvm.bitcast %i : i16 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // ATTN_TARGET_CPU_PASSES
