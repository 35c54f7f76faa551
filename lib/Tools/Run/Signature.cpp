//===- Signature.cpp - What a function takes and gives -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traces the operands of attn.attention to arguments and its results to
// returns, and unites the extents that the operation makes equal.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Signature.h"
#include "attn/Conversion/HostABI/HostSignature.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::run;

static constexpr StringRef kRoleNames[] = {
    "query",      "key",     "value",        "sinks",         "query ids",
    "key ids",    "prefix",  "cu_seqlens_q", "cu_seqlens_kv", "seqused_q",
    "seqused_kv", "capture", "other"};

StringRef mlir::attn::run::getName(Role role) {
  return kRoleNames[static_cast<unsigned>(role)];
}

const ArgumentInfo *Signature::findArgument(StringRef name) const {
  auto it = llvm::find_if(
      arguments, [&](const ArgumentInfo &info) { return info.name == name; });
  return it == arguments.end() ? nullptr : &*it;
}

SmallVector<int64_t> mlir::attn::run::getShape(ArrayRef<int64_t> extents,
                                               ArrayRef<int64_t> values) {
  return llvm::map_to_vector(extents, [&](int64_t extent) {
    return extent >= 0 ? extent : values[-1 - extent];
  });
}

namespace {
class SignatureReader {
public:
  explicit SignatureReader(func::FuncOp function) : function(function) {}

  FailureOr<Signature> read() {
    if (function.isExternal())
      return function.emitOpError("expected a body");
    FailureOr<HostSignature> host = inferHostSignature(function);
    if (failed(host) || failed(readArguments(*host)))
      return failure();
    signature.function = function.getSymName().str();
    signature.symbols.assign(host->symbols.begin(), host->symbols.end());
    readOffsets(*host);
    function.walk([&](AttentionOp op) { readAttention(op); });
    return std::move(signature);
  }

private:
  LogicalResult readArguments(const HostSignature &host) {
    for (const HostArgument &arg : host.args) {
      std::string text = "i64"; // what an index is in C
      if (!arg.type.isIndex()) {
        text.clear();
        llvm::raw_string_ostream(text) << arg.type;
      }
      std::optional<ElementType> type = parseElementType(text);
      if (!type)
        return function.emitOpError("argument '")
               << arg.name << "' expected elements that can be made up, got "
               << arg.type << "; make them signless integers or floats";
      if (arg.isOutput)
        signature.results.push_back({arg.name, *type, arg.dims, Rule::Value});
      else
        signature.arguments.push_back({arg.name, *type, arg.dims,
                                       /*isScalar=*/!arg.isTensor, Role::Other,
                                       std::nullopt});
    }
    return success();
  }

  void readOffsets(const HostSignature &host) {
    for (const HostRelation &relation : host.relations) {
      if (relation.kind != HostRelation::Kind::Offset)
        continue;
      int64_t lhs = host.args[relation.lhsArg].dims[relation.lhsDim];
      int64_t rhs = host.args[relation.rhsArg].dims[relation.rhsDim];
      // With a constant on one side the other is the entry's to check.
      if (lhs < 0 && rhs < 0)
        signature.offsets.push_back({static_cast<unsigned>(-1 - lhs),
                                     static_cast<unsigned>(-1 - rhs),
                                     relation.offset});
    }
  }

  /// The argument that `value` is, seen through casts.
  std::optional<unsigned> trace(Value value) {
    while (auto cast = value.getDefiningOp<tensor::CastOp>())
      value = cast.getSource();
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &function.front())
      return std::nullopt;
    return argument.getArgNumber();
  }

  /// Visits the results of the function that `value` is, seen through casts.
  static void forEachResult(Value value, function_ref<void(unsigned)> visit) {
    for (OpOperand &use : value.getUses()) {
      if (auto cast = dyn_cast<tensor::CastOp>(use.getOwner()))
        forEachResult(cast.getResult(), visit);
      else if (isa<func::ReturnOp>(use.getOwner()))
        visit(use.getOperandNumber());
    }
  }

  void readAttention(AttentionOp op) {
    unsigned number = signature.sites.size();
    AttentionSite site;
    site.packed = op.isPacked();
    site.nested = op->getParentOp() != function;
    site.hasScoreRegion = !op.getScore().empty();
    site.topLeft = op.getAlignment() == Alignment::TopLeft;
    auto take = [&](Value value, Role role) {
      std::optional<unsigned> argument = value ? trace(value) : std::nullopt;
      if (!argument)
        return;
      if (role < Role::Capture)
        site.arguments[static_cast<unsigned>(role)] = argument;
      ArgumentInfo &info = signature.arguments[*argument];
      if (!info.site) {
        info.site = number;
        info.role = role;
      }
    };
    take(op.getQ(), Role::Query);
    take(op.getK(), Role::Key);
    take(op.getV(), Role::Value);
    take(op.getSinks(), Role::Sinks);
    take(op.getQIds(), Role::QueryIds);
    take(op.getKvIds(), Role::KeyIds);
    take(op.getPrefix(), Role::Prefix);
    take(op.getCuSeqlensQ(), Role::CuSeqlensQ);
    take(op.getCuSeqlensKv(), Role::CuSeqlensKv);
    take(op.getSequsedQ(), Role::SequsedQ);
    take(op.getSequsedKv(), Role::SequsedKv);
    for (Value capture : op.getScoreCaptures())
      take(capture, Role::Capture);
    for (Value capture : op.getMaskCaptures())
      take(capture, Role::Capture);
    forEachResult(op.getOut(), [&](unsigned n) { site.out = n; });
    if (op.getLse())
      forEachResult(op.getLse(), [&](unsigned n) {
        site.lse = n;
        signature.results[n].rule = Rule::LogSumExp;
      });
    signature.sites.push_back(site);
  }

  func::FuncOp function;
  Signature signature;
};
} // namespace

FailureOr<Signature> mlir::attn::run::readSignature(func::FuncOp function) {
  return SignatureReader(function).read();
}
