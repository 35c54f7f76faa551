//===- ShapeFactsInterface.td - Facts about extents --------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface through which operations state what they ask of extents.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_INTERFACES_SHAPEFACTSINTERFACE_TD
#define ATTN_INTERFACES_SHAPEFACTSINTERFACE_TD

include "mlir/IR/OpBase.td"

def ShapeFactsOpInterface : OpInterface<"ShapeFactsOpInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    States which extents of operands and results must agree for the operation to
    be defined. Lowerings may rely on these facts, since the host program checks
    those that reach a function's arguments before it runs anything.
  }];
  let methods = [
    InterfaceMethod<
      "Adds the operation's facts about the extents of its operands and "
      "results, and names for them.",
      "void", "collectShapeFacts", (ins "::mlir::attn::ShapeFacts &":$facts)>
  ];
}

#endif // ATTN_INTERFACES_SHAPEFACTSINTERFACE_TD
