//===- AttnGPUKernelOps.td - Kernels and work --------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel, how a thread block gets its work, and who is running.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUKERNELOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUKERNELOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUEnums.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AttnGPU_KernelOp : AttnGPU_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope
  ]> {
  let summary = "The program of a thread block";
  let description = [{
    `warpgroups` warpgroups run the body, all of them the same program; they
    meet where an operation says so. Arguments are tensors in global memory
    (memrefs) and uniform scalars.

    Constraints:
    * C1: no results; one block, which ends in `attn_gpu.return`.
    * C2: arguments are memrefs with unit stride in their last dimension,
      `index`, integers or f32.
    * C3: `warpgroups` is between 1 and 8.
    * C4: `attn_gpu.schedule`, if there, is a dictionary of `stages` (an integer,
      1 to 8), `work` (`once`, `strided` or `dynamic`), `turns`, `flatten`,
      `lazy_rescale`, `queries_in_registers` and `early_weights` (booleans),
      `cluster` (an integer, 1 to 8), any of them; `attn_gpu.origin` is a dictionary.
    * C5: `cluster` is between 1 and 8; above 1, work loops are `strided`.

    With `cluster`, thread blocks come in clusters of that many, which run at the
    same time: they get the same points of a work loop, see
    `attn_gpu.cluster_rank`, and may share copies, see `attn_gpu.ring_create`. A
    launch has a multiple of `cluster` thread blocks.

    A kernel may say how it wants to be compiled, in an attribute
    `attn_gpu.schedule`, a dictionary: `stages` of rings in loops, how points of
    `work` come to thread blocks, whether consumers take `turns`, whether the end of
    a point runs beside the beginning of the next (`flatten`), thread blocks of a
    `cluster`. Options of the passes that go by it come first. `lazy_rescale`,
    `queries_in_registers` and `early_weights` have been carried out when the kernel
    was made; they stand there for readers, and manifests repeat them.
    `attn_gpu.origin`, a dictionary, says what the kernel was made for; manifests
    repeat it.

    Created by `convert-attn-to-attn-gpu`, started by `attn_gpu.launch`;
    `convert-attn-gpu-to-nvvm` consumes it.

    ```mlir
    attn_gpu.kernel @copy_rows(%from: memref<?x64xbf16>, %tiles: index,
                               %to: memref<?x64xbf16>) warpgroups 1 {
      attn_gpu.work_loop (%tile) in (%tiles) {
        %c64 = arith.constant 64 : index
        %c0 = arith.constant 0 : index
        %row = arith.muli %tile, %c64 : index
        %rows = attn_gpu.read %from[%row, %c0] : memref<?x64xbf16>
            -> !attn_gpu.tile<64x64xbf16>
        %x = attn_gpu.load_fragment %rows : !attn_gpu.tile<64x64xbf16>
            -> vector<64x64xbf16>
        attn_gpu.write %x to %to[%row, %c0]
            : vector<64x64xbf16>, memref<?x64xbf16>
      }
      attn_gpu.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       AttnGPU_IntAttr:$warpgroups,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       DefaultValuedAttr<AttnGPU_IntAttr, "1">:$cluster);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ArrayRef<Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ArrayRef<Type> getResultTypes() { return getFunctionType().getResults(); }
    Region *getCallableRegion() { return &getBody(); }

    static constexpr ::llvm::StringLiteral kScheduleAttrName =
        "attn_gpu.schedule";
    static constexpr ::llvm::StringLiteral kOriginAttrName = "attn_gpu.origin";
    /// What the kernel's schedule says, if it says so.
    std::optional<int64_t> getWantedStages();
    std::optional<WorkSchedule> getWantedWork();
    std::optional<bool> getWantedTurns();
    std::optional<bool> getWantedFlatten();
    std::optional<int64_t> getWantedCluster();
  }];
}

def AttnGPU_ReturnOp : AttnGPU_Op<"return", [
    HasParent<"KernelOp">, Pure, Terminator
  ]> {
  let summary = "Ends a kernel";
  let description = [{
    Created and consumed with the `attn_gpu.kernel` that it ends; see there for
    an example.
  }];
  let assemblyFormat = "attr-dict";
}

def AttnGPU_YieldOp : AttnGPU_Op<"yield", [
    ParentOneOf<["WarpSpecializeOp", "WorkLoopOp"]>, Pure, ReturnLike,
    Terminator
  ]> {
  let summary = "Ends a region";
  let description = [{
    Ends the body of `attn_gpu.work_loop`, whose operands are what it carries,
    and the roles of `attn_gpu.warp_specialize`; without operands it is not
    written out.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ /* nothing */ }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def AttnGPU_WorkLoopOp : AttnGPU_Op<"work_loop", [
    RecursiveMemoryEffects, AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"YieldOp">,
    ParentOneOf<["KernelOp", "WarpSpecializeOp"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, [
      "getRegionIterArgs", "getYieldedValuesMutable", "getLoopResults",
      "replaceWithAdditionalYields"]>
  ]> {
  let summary = "Divides work among thread blocks";
  let description = [{
    Over all thread blocks of a launch, the body runs once for each point of the
    box `[0, extents)`, in one thread block.

    **Schedule.** With `once`, the default, a thread block runs one point, and a
    launch has at least as many thread blocks as there are points; those left
    over do nothing. The others are *persistent*: thread block `c` of `n` begins
    with point `c`, and then, if `strided`, takes `c + n`, `c + 2n`, ...; if
    `dynamic`, whenever it is done the first point that no thread block has
    taken. All warpgroups of a thread block, and both roles, run the same points
    in the same order. A launch may have any number of thread blocks above 0.

    In a kernel with clusters, read *cluster* for thread block: all thread blocks
    of a cluster run the same points.

    **Order.** Points are numbered, and so started, in the order of the extents,
    the last one fastest; a dimension named in `descending` counts down. So what
    is long should come first. With `group` the dimensions before the last are
    taken together `group` at a time: for each group the last dimension is
    walked once, and for each of its steps the members of the group. So they
    work side by side, on what the second-level cache then holds for all.

    **Carried values** go from a point to the next one that the thread block
    runs, as those of `scf.for` from a step to the next. With `group` or without,
    nothing is said of which one that is.

    Constraints:
    * C1: as many induction variables, of type index, as extents.
    * C2: `descending` names dimensions, each once.
    * C3: `group` is at least 1 at run time (not checked), and asks for two
      dimensions or more.
    * C4: carried values, what the body yields and results have one type each.
    * C5: points are less than 2^31 (not checked).

    Created by `convert-attn-to-attn-gpu`; `attn-gpu-schedule-work` gives it its
    schedule and group, `attn-gpu-async-copy` what it carries;
    `convert-attn-gpu-to-nvvm` consumes it.

    ```mlir
    attn_gpu.kernel @fill(%to: memref<?x?x1xf32>, %heads: index, %tiles: index)
        warpgroups 1 {
      %zero = arith.constant dense<0.0> : vector<64x1xf32>
      %none = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %done = attn_gpu.work_loop (%head, %tile) in (%heads, %tiles)
          descending [1] group %c4 schedule dynamic
          iter_args(%n = %none) -> (index) {
        %c64 = arith.constant 64 : index
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %row = arith.muli %tile, %c64 : index
        attn_gpu.write %zero to %to[%head, %row, %c0]
            : vector<64x1xf32>, memref<?x?x1xf32>
        %next = arith.addi %n, %c1 : index
        attn_gpu.yield %next : index
      }
      attn_gpu.return
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents, Optional<Index>:$group,
                       Variadic<AnyType>:$inits,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$descending,
                       DefaultValuedAttr<AttnGPU_WorkScheduleAttr,
                         "::mlir::attn_gpu::WorkSchedule::Once">:$schedule);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    OpBuilder<(ins "ValueRange":$extents, "DenseI64ArrayAttr":$descending)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Where the thread block stands.
    Block::BlockArgListType getPoint() {
      return getBody().getArguments().take_front(getExtents().size());
    }
    /// Whether a thread block may run several points.
    bool isPersistent() { return getSchedule() != WorkSchedule::Once; }
  }];
}

def AttnGPU_WarpgroupIndexOp : AttnGPU_Op<"warpgroup_index", [Pure]> {
  let summary = "Which of the warpgroups is running";
  let description = [{
    From 0 to `warpgroups - 1`, counted over the kernel's warpgroups.

    Created by `convert-attn-to-attn-gpu`, to give each warpgroup its rows of a
    query tile; `convert-attn-gpu-to-nvvm` consumes it.

    ```mlir
    %warpgroup = attn_gpu.warpgroup_index
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def AttnGPU_ClusterRankOp : AttnGPU_Op<"cluster_rank", [Pure]> {
  let summary = "Which thread block of its cluster is running";
  let description = [{
    From 0 to `cluster - 1`; 0 in a kernel without clusters. Whatever does not
    depend on it is the same in all thread blocks of a cluster.

    Created by `attn-gpu-form-clusters`, to give each thread block of a cluster a
    tile of its own; `convert-attn-gpu-to-nvvm` consumes it.

    ```mlir
    attn_gpu.kernel @fill_pairs(%to: memref<?x1xf32>, %pairs: index)
        warpgroups 1 cluster 2 {
      %zero = arith.constant dense<0.0> : vector<64x1xf32>
      attn_gpu.work_loop (%pair) in (%pairs) schedule strided {
        %c2 = arith.constant 2 : index
        %c64 = arith.constant 64 : index
        %c0 = arith.constant 0 : index
        %rank = attn_gpu.cluster_rank
        %first = arith.muli %pair, %c2 : index
        %tile = arith.addi %first, %rank : index
        %row = arith.muli %tile, %c64 : index
        attn_gpu.write %zero to %to[%row, %c0]
            : vector<64x1xf32>, memref<?x1xf32>
      }
      attn_gpu.return
    }
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def AttnGPU_LaunchOp : AttnGPU_Op<"launch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>
  ]> {
  let summary = "Starts a kernel";
  let description = [{
    Starts `blocks` thread blocks of a kernel on the caller's stream, rounded up to
    whole clusters. The kernel's arguments are `inputs`, then `outputs`, which it writes. On
    tensors, results are the outputs as written; on memrefs there are no
    results.

    Constraints:
    * C1: the kernel exists; a tensor or memref stands for an argument of its
      shape and element type, other types are equal.
    * C2: one result for each output that is a tensor, of its type.
    * C3: of an `attn_gpu.image`, each parameter is made of an argument that is
      there and has what it needs.

    Created by `convert-attn-to-attn-gpu` in place of a loop over tiles; the
    host program's lowering consumes it.

    ```mlir
    %written = attn_gpu.launch @copy_rows blocks %n ins(%from, %n
        : tensor<?x64xbf16>, index) outs(%to : tensor<?x64xbf16>)
        -> tensor<?x64xbf16>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Index:$blocks,
                       Variadic<AnyType>:$inputs,
                       Variadic<AnyShaped>:$outputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel `blocks` $blocks `ins` `(` ($inputs^ `:` type($inputs))? `)`
    `outs` `(` $outputs `:` type($outputs) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
  }];
}

def AttnGPU_ImageOp : AttnGPU_Op<"image", [Symbol]> {
  let summary = "A compiled kernel";
  let description = [{
    The PTX of a kernel and, where an assembler was found, its machine code, with
    what a launch must know: `threads` of a thread block, thread blocks of a
    `cluster`, bytes of dynamic `shared` memory, and `parameters`, which says what
    each parameter of the code is, as `convert-attn-gpu-to-nvvm` records it. `assembly` is what the assembler
    said: registers, bytes spilled and, as `losses`, what costs speed. The
    kernel's `attn_gpu.schedule` and `attn_gpu.origin` are the image's, too.

    Constraints:
    * C1: each entry of `parameters` says its `kind`, the `argument` of the launch
      that it is made of, and what its kind needs: `dimension` for an `extent` or
      a `stride`; `rows`, `columns`, `row_dimension` and `swizzle` for a
      `tile_map`.
    * C2: `threads` is between 1 and 1024, `shared` not below 0, `cluster` between
      1 and 8.
    * C3: `chip` is named as LLVM names it.

    Created by `attn-gpu-compile-kernels` in place of an `attn_gpu.kernel`;
    `attn-gpu-launch-to-runtime` turns it into a constant of the host program.

    ```mlir
    attn_gpu.image @fill_image chip "sm_90a" threads 128 shared 0 parameters
        [{argument = 0 : i64, kind = "pointer"} ] ptx ".version 8.7"
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$chip,
                       AttnGPU_IntAttr:$threads, AttnGPU_IntAttr:$shared,
                       ArrayAttr:$parameters, StrAttr:$ptx,
                       OptionalAttr<StrAttr>:$cubin,
                       OptionalAttr<DictionaryAttr>:$assembly,
                       UnitAttr:$persistent,
                       DefaultValuedAttr<AttnGPU_IntAttr, "1">:$cluster);
  let assemblyFormat = [{
    $sym_name `chip` $chip `threads` $threads `shared` $shared
    (`cluster` $cluster^)? (`persistent` $persistent^)?
    `parameters` $parameters `ptx` $ptx (`cubin` $cubin^)?
    (`assembly` $assembly^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// 90 for sm_90a; 0 if `chip` is no such name.
    int64_t getCapability();
    /// What of `assembly` is a loss of speed.
    SmallVector<StringRef> getLosses();
  }];
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUKERNELOPS_TD
