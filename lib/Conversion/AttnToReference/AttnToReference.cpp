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

/// Whether `function` holds attention anywhere.
static bool holdsAttention(func::FuncOp function) {
  return function.walk([](AttentionOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Makes a function that is called from C the implementation behind its entry:
/// named and typed as attn-emit-host-entry expects.
static LogicalResult updateSignature(func::FuncOp function) {
  if (!function->hasAttr(HostSignature::kAttrName))
    return success();
  FailureOr<HostSignature> signature = HostSignature::get(function);
  if (failed(signature))
    return failure();
  for (auto [argument, type] :
       llvm::zip_equal(signature->args, function.getArgumentTypes()))
    if (auto memory = dyn_cast<MemRefType>(type))
      argument.type = memory.getElementType();
  function->setAttr(HostSignature::kAttrName,
                    signature->toAttr(function.getContext()));
  function.setSymName((function.getSymName() + "_impl").str());
  function.setPrivate();
  return success();
}

LogicalResult attn::lowerToReference(ModuleOp module,
                                     ReferencePrecision precision) {
  SmallVector<FunctionLowering> lowerings;
  llvm::SmallDenseSet<StringRef> names;
  module.walk([&](func::FuncOp function) {
    if (!holdsAttention(function))
      return;
    lowerings.emplace_back(function, precision);
    names.insert(function.getSymName());
  });

  bool ok = true;
  for (FunctionLowering &lowering : lowerings)
    ok &= succeeded(lowering.check());
  module.walk([&](func::CallOp call) { // C4
    if (!names.contains(call.getCallee()))
      return;
    call.emitOpError() << "calls '" << call.getCallee()
                       << "', which holds attention and becomes a function "
                          "over buffers; expected no call to it: inline it "
                          "first";
    ok = false;
  });
  if (!ok)
    return failure();
  for (FunctionLowering &lowering : lowerings)
    lowering.apply();
  module.walk([&](func::FuncOp function) {
    if (names.contains(function.getSymName()))
      ok &= succeeded(updateSignature(function));
  });
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
