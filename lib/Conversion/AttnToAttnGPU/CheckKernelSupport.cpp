//===- CheckKernelSupport.cpp - What kernels do not cover yet -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refuses it where the user wrote it.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToAttnGPU/AttnToAttnGPU.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <limits>

namespace mlir::attn {
#define GEN_PASS_DEF_CHECKKERNELSUPPORTPASS
#include "attn/Conversion/AttnToAttnGPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static bool isKernelHeadDim(int64_t extent) {
  return llvm::is_contained({64, 128, 256}, extent);
}

/// C8.
static void checkExtents(AttentionOp op,
                         function_ref<void(const Twine &)> add) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  for (auto [name, value] : {std::pair<StringRef, Value>{"q", op.getQ()},
                             {"k", op.getK()},
                             {"v", op.getV()}}) {
    auto type = cast<RankedTensorType>(value.getType());
    for (auto [dim, extent] : llvm::enumerate(type.getShape().drop_back()))
      if (extent > most)
        add("'" + name + "': expected extents of at most " + Twine(most) +
            ", which the copy engine's coordinates reach, got " +
            Twine(extent) + " (dimension " + Twine(dim) + ")");
  }
}

LogicalResult attn::checkKernelSupport(AttentionOp op) {
  SmallVector<std::string> reasons;
  auto add = [&](const Twine &reason) { reasons.push_back(reason.str()); };
  Type element = cast<RankedTensorType>(op.getQ().getType()).getElementType();
  if (!element.isBF16() && !element.isF16()) {
    std::string text;
    llvm::raw_string_ostream(text) << element;
    add("'q', 'k', 'v': expected bf16 or f16, got " + text);
  }
  if (!isKernelHeadDim(op.getHeadDim()))
    add("'q', 'k': expected a head dimension of 64, 128 or 256, got " +
        Twine(op.getHeadDim()));
  if (!isKernelHeadDim(op.getValueDim()))
    add("'v': expected a head dimension of 64, 128 or 256, got " +
        Twine(op.getValueDim()));
  if (!op.getScore().empty())
    add("score region: expected none");
  MaskNeeds needs = getMaskNeeds(op.getMaskAttr());
  if (needs.region)
    add("mask region: expected masks given as attributes");
  if (needs.documents)
    add("'documents': expected a mask without operands");
  if (needs.prefixOperand)
    add("'prefix': expected a constant length, as in #attn.prefix<16>");
  if (op.getSinks())
    add("'sinks': expected none");
  if (!op.isPacked() &&
      cast<RankedTensorType>(op.getK().getType()).getDimSize(2) == 0)
    add("'k', 'v': expected keys, got a static extent of 0; a dynamic extent "
        "may "
        "be 0");
  checkExtents(op, add);
  if (op.isPacked())
    add("'cu_seqlens': expected dense operands [B, H, S, D]");
  if (op.getSequsedQ())
    add("'seqused_q': expected none");
  if (op.getSequsedKv())
    add("'seqused_kv': expected none");
  if (reasons.empty())
    return success();
  InFlightDiagnostic diag = op.emitError("attention has no kernel for a GPU:");
  for (const std::string &reason : reasons)
    diag << "\n  " << reason;
  return diag;
}

namespace {
struct CheckKernelSupport
    : attn::impl::CheckKernelSupportPassBase<CheckKernelSupport> {
  void runOnOperation() override {
    bool valid = true;
    getOperation()->walk(
        [&](AttentionOp op) { valid &= succeeded(checkKernelSupport(op)); });
    getOperation()->walk([&](func::FuncOp function) {
      valid &= succeeded(checkDeviceFunction(function));
    });
    if (!valid)
      signalPassFailure();
  }
};
} // namespace
