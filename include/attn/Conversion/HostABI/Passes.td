//===- Passes.td - Passes of the host program --------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three steps from a public function on tensors to a C function: infer its
// signature at the user level, bind its memory before bufferization, emit its
// entry before the conversion of functions to LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_HOSTABI_PASSES_TD
#define ATTN_CONVERSION_HOSTABI_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckHostProgramPass : Pass<"attn-check-host-program", "::mlir::ModuleOp"> {
  let summary = "Refuse what the pipelines cannot compile, at its operation";
  let description = [{
    Runs at the user level, after inlining, and changes nothing. Beside attention
    a program may hold what upstream's passes lower: `linalg` on tensors,
    elementwise `arith` and `math`, operations of `tensor`, `scf`, and scalars.
    Anything else would be found only by a later pass, which knows neither the
    user's operation nor what to do about it.

    Constraints:
    * C1: functions stand in one module, which holds no other, and the name
      `@NAME_impl` of each public one on tensors is free.
    * C2: functions have names that are free to define (see
      `attn-infer-host-signature`, C5), private ones too.
    * C3: a function on tensors has one block.
    * C4: no call on tensors is left: callees have a body of one block and do not
      call themselves.
    * C5: operations are of a dialect that has a lowering: `attn`, `linalg`,
      `tensor`, `scf`, `arith`, `math`, and those that upstream's passes make.
    * C6: nothing ends the process or prints (`cf.assert`, `vector.print`).
    * C7: tensors have a rank.
    * C8: an operation on tensors is of `attn`, or elementwise, or bufferizes and
      is lowered from there; `scf.while` carries none.
    * C9: elements of a `tensor.empty` are written before they are read: it is the
      destination of `linalg` operations that do not read it, of insertions and of
      loops, and no operand of attention.

    Results do not change.
  }];
}

def InferHostSignaturePass
    : Pass<"attn-infer-host-signature", "::mlir::ModuleOp"> {
  let summary = "Record how each public function is called from C";
  let description = [{
    Adds the attribute `attn.signature` to every public function with a body and
    a tensor among its arguments and results. It says, argument by argument and
    then result by result: the name, the element type, each extent as a number
    or as a symbol, and which relations must hold between extents. Runs at the
    user level, while the operations that ask for equal extents are there; a
    function that has the attribute is left alone.

    Extents are equal when an operation with `ShapeFactsOpInterface` says so
    (`attn.attention` does), through `tensor.cast`, dimensions that a reshape
    keeps, `tensor.dim` as a size of another tensor, loops of `linalg`, elementwise
    operations and destinations; or when the user gives them one name in
    `attn.dims`, an array of names and numbers on an argument or a result.
    What `attn.dims` says of a result is believed.

    What `scf` carries or chooses has an extent if every way to it has it.

    Names come from the attribute `attn.name` of the argument or result, or else
    from a name location, the operation that uses it, or its number, made
    identifiers of C.

    Constraints:
    * C1: arguments are ranked tensors of f16, bf16, f32, f64, i1, i8, i16, i32
      or i64, or scalars of type index, i32, i64, f32 or f64; results are such
      tensors.
    * C2: one `func.return`.
    * C3: every extent of a result is constant or equal to an argument's: the
      caller allocates results.
    * C4: no two different constants are asked to be equal, by operations or by
      `attn.dims`; a multiple or an offset that operations ask for holds of
      constants.
    * C5: the function's name is an identifier in C, does not begin with `_` or
      `attn_rt_`, and is neither `main` nor a function of the C library: generated
      code, and whatever it is linked with, would call it instead.
    * C6: `attn.dims` has an entry for each extent, a name or a number of at least
      0.

    Results do not change.

    ```mlir
    func.func @f(%q: tensor<?x8x?x64xf32>, %k: tensor<?x2x?x64xf32>,
                 %v: tensor<?x2x?x64xf32>) -> tensor<?x8x?x64xf32> {
      %out = attn.attention %q, %k, %v
          : tensor<?x8x?x64xf32>, tensor<?x2x?x64xf32>, tensor<?x2x?x64xf32>
          -> tensor<?x8x?x64xf32>
      return %out : tensor<?x8x?x64xf32>
    }
    ```
    becomes the same with
    ```
    attn.signature = {symbol = "f", args = [
      {name = "q", element = f32, dims = ["B", 8, "Sq", 64]},
      {name = "k", element = f32, dims = ["B", 2, "Skv", 64]},
      {name = "v", element = f32, dims = ["B", 2, "Skv", 64]},
      {name = "out", element = f32, dims = ["B", 8, "Sq", 64], output} ]}
    ```
  }];
}

def BindHostMemoryPass : Pass<"attn-bind-host-memory", "::mlir::ModuleOp"> {
  let summary = "Make public functions read and write memory of their callers";
  let description = [{
    Turns every public function `@NAME` on tensors into the private function
    `@NAME_impl` on memrefs; a function without `attn.signature` gets it first.
    Runs before bufferization, which then keeps the signature as it is. (One-shot
    bufferization of function boundaries would forget that the last dimension is
    dense.)

    * A tensor argument becomes a memref of its shape with layout
      `strided<[?, ..., ?, 1], offset: 0>`, read by `bufferization.to_tensor
      restrict`: the entry points descriptors at the first element, and checks
      that outputs lie apart from everything else.
    * A tensor result becomes a memref argument at the end, written by
      `bufferization.materialize_in_destination ... restrict writable`.
    * A result that is a `tensor.collapse_shape` or `tensor.cast` of `x` is
      written as `x`, into an expanded or cast view of the memory, made as early
      as its extents are known: `eliminate-empty-tensors` can then let `x` be
      computed in place.
    * Scalars stay as they are.

    Constraints:
    * C1: as `attn-infer-host-signature`.
    * C2: nothing in the module uses `@NAME`; call a private function from both.
    * C3: the name `@NAME_impl` is free.
    * C4: a signature that is there already is that of the function's type.

    Results do not change.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect",
    "::mlir::arith::ArithDialect"
  ];
}

def EmitHostEntryPass : Pass<"attn-emit-host-entry", "::mlir::ModuleOp"> {
  let summary = "Emit the C functions that check arguments and call the code";
  let description = [{
    For every function with `attn.signature` that takes memrefs
    (`@NAME_impl`), emits `llvm.func @NAME` and the constant description of its
    arguments, an `AttnRtFunction` of the runtime. `@NAME` takes a pointer to an
    `AttnRtTensor` per tensor, outputs last, and scalars by value in their place;
    it calls `attn_rt_bind_arguments`, returns its status unless it is 0, and
    otherwise calls `@NAME_impl` with the memrefs and returns 0. `@NAME_impl`
    gets internal linkage. `attn.signature`, with the CPU features that the code
    needs, moves to `@NAME`, where the manifest and the header are made from it.

    Runs after bufferization and before `convert-func-to-llvm`: memrefs of the
    call are `builtin.unrealized_conversion_cast` of descriptors, which that
    conversion and `reconcile-unrealized-casts` resolve.

    Constraints:
    * C1: the function's arguments are those of the signature.
    * C2: every feature of the CPU that the code generator may use can be checked
      by the runtime; others are refused.
    * C3: at most 256 symbols.
    * C4: the name `@NAME` is free.

    Results do not change.
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"x86-64-v3\"",
           "LLVM's name of the CPU that the code is for; empty: nothing is "
           "required">,
    Option<"features", "features", "std::string", /*default=*/"",
           "LLVM's features added to (+name) or taken from (-name) the CPU's, "
           "separated by commas">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // ATTN_CONVERSION_HOSTABI_PASSES_TD
