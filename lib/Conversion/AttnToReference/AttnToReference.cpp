//===- AttnToReference.cpp - The reference lowering -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, and the lowering of a module: check everything, then change it.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToReference/AttnToReference.h"
#include "Reference.h"
#include "attn/Conversion/HostABI/HostSignature.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTOREFERENCEPASS
#include "attn/Conversion/AttnToReference/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// The types of results in the signature of a function that is called from C.
static LogicalResult updateSignature(func::FuncOp function) {
  if (!function->hasAttr(HostSignature::kAttrName))
    return success();
  FailureOr<HostSignature> signature = HostSignature::get(function);
  if (failed(signature))
    return failure();
  unsigned numArguments = function.getNumArguments();
  if (signature->args.size() != numArguments + function.getNumResults())
    return function.emitOpError("has a type that '")
           << HostSignature::kAttrName
           << "' does not describe: " << function.getFunctionType();
  for (auto [n, type] : llvm::enumerate(function.getResultTypes()))
    signature->args[numArguments + n].type = getElementTypeOrSelf(type);
  function->setAttr(HostSignature::kAttrName,
                    signature->toAttr(function.getContext()));
  return success();
}

LogicalResult attn::lowerToReference(ModuleOp module,
                                     ReferencePrecision precision) {
  bool ok = true;
  SmallVector<FunctionLowering> lowerings;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal()) {
      lowerings.emplace_back(function, precision);
      ok &= succeeded(lowerings.back().check());
    }
  // C2: the types of results change.
  module.walk([&](func::CallOp call) {
    if (llvm::none_of(call.getResultTypes(),
                      [](Type type) { return isa<TensorType>(type); }))
      return;
    call.emitOpError() << "calls '" << call.getCallee()
                       << "' for a tensor; the reference expected no such "
                          "call: inline it first";
    ok = false;
  });
  module.walk([&](ModuleOp nested) { // C3
    if (nested == module)
      return;
    nested.emitOpError(
        "is nested in another module; the reference expected functions");
    ok = false;
  });
  if (!ok)
    return failure();
  for (FunctionLowering &lowering : lowerings)
    lowering.apply();
  for (auto function : module.getOps<func::FuncOp>())
    ok &= succeeded(updateSignature(function));
  return success(ok);
}

namespace {
struct AttnToReferencePass
    : attn::impl::AttnToReferencePassBase<AttnToReferencePass> {
  using AttnToReferencePassBase::AttnToReferencePassBase;

  void runOnOperation() override {
    if (failed(lowerToReference(getOperation(), precision)))
      signalPassFailure();
  }
};
} // namespace
