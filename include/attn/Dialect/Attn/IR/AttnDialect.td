//===- AttnDialect.td - The attn dialect -------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its base classes, and the types that its operations share.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNDIALECT_TD
#define ATTN_DIALECT_ATTN_IR_ATTNDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Attn_Dialect : Dialect {
  let name = "attn";
  let cppNamespace = "::mlir::attn";
  let summary = "Attention as a reduction over keys by a monoid";
  let description = [{
    Attention is a reduction over keys. Its element is the state `(m, l, acc)`
    of every query row, all in f32:

    * `m`: the running maximum of `score * log2(e)`, and of that beyond 2^127, where
      f32 ends before scores do, half the distance to 2^127,
    * `l`: the running sum of `2^(score * log2(e) - m)`,
    * `acc`: the sum of `2^(score * log2(e) - m) * v`, not normalised.

    `attn.neutral` makes the empty state, `attn.partial` folds a piece of keys
    into a state, `attn.merge` joins the states of two disjoint pieces, and
    `attn.finalize` divides. `attn.attention`, what users write, is
    `finalize(partial(neutral))`. Everything else is an order in which keys are
    visited: `attn.walk` states it, one operation per query tile.

    Operations stand on two levels. `attn.attention` is the user level (L0).
    The state operations and `attn.walk` are the iteration level (L1), shared by
    every target.

    Attributes of the dialect on what is not of it: `attn.name` and `attn.dims` on
    arguments and results of functions are the user's
    (`attn-infer-host-signature`), and so is `attn.schedule` on `attn.attention`,
    `attn.partial` and `attn.walk` (`attn-select-schedule`). The passes have
    `attn.choice` there, too, `attn.rejected` on `attn.attention`, `attn.signature`
    on functions, `attn.owned` on `memref.alloc`, `attn.kernels` on modules. Others,
    and these elsewhere, are refused, since nothing reads them.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Attn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Attn_Dialect, mnemonic, traits>;

class Attn_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Attn_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// A ranked tensor. Verifiers check rank, element type and encoding by the
// operand's name, together with everything else: ODS would say its number.
def Attn_Tensor : Type<CPred<"true">, "tensor", "::mlir::RankedTensorType">;

#endif // ATTN_DIALECT_ATTN_IR_ATTNDIALECT_TD
