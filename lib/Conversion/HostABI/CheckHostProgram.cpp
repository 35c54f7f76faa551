//===- CheckHostProgram.cpp - Refuses what cannot be compiled -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at every operation around attention while it is still the user's.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/CNames.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CHECKHOSTPROGRAMPASS
#include "attn/Conversion/HostABI/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static bool hasTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// Whether the pipelines have a lowering for operations of this dialect.
static bool isKnownDialect(StringRef name) {
  return llvm::is_contained({"affine", "arith", "attn", "bufferization", "cf",
                             "func", "index", "linalg", "llvm", "math",
                             "memref", "scf", "tensor", "ub", "vector"},
                            name);
}

/// A call that the inliner has left.
static LogicalResult checkCall(func::CallOp call) {
  if (!hasTensors(call))
    return success();
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  InFlightDiagnostic diag = call.emitOpError("calls '")
                            << call.getCallee()
                            << "' on tensors, which is only possible where "
                               "the function can be inlined; expected ";
  if (!callee || callee.isExternal())
    diag << "one with a body, got a declaration";
  else if (!callee.getBody().hasOneBlock())
    diag << "one with a single block, got "
         << callee.getBody().getBlocks().size()
         << " blocks: use scf instead of cf";
  else
    diag << "one that does not call itself, and whose operations may be "
            "inlined";
  if (callee)
    diag.attachNote(callee.getLoc()) << "the function is here";
  return diag;
}

/// The name of an operand, as the user's text has it.
static std::string getOperandName(OpOperand &operand) {
  static constexpr StringRef kNames[] = {
      "q",          "k",         "v",         "score",  "visible",
      "sinks",      "documents", "documents", "prefix", "cu_seqlens",
      "cu_seqlens", "seqused_q", "seqused_kv"};
  unsigned number = operand.getOperandNumber();
  if (auto op = dyn_cast<AttentionOp>(operand.getOwner()))
    for (auto [n, name] : llvm::enumerate(kNames)) {
      auto [start, length] = op.getODSOperandIndexAndLength(n);
      if (number >= start && number < start + length)
        return ("'" + name + "'").str();
    }
  return "operand " + std::to_string(number);
}

/// Whether the owner of `use` reads elements of what it uses, and not through
/// another tensor.
static bool readsElements(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.payloadUsesValueFromOperand(&use);
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return !destination.isDpsInit(&use); // tensor.insert_slice and others
  return op->getName().getDialectNamespace() == "attn" ||
         isa<func::ReturnOp, tensor::ExtractOp, tensor::PadOp,
             tensor::ConcatOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

/// C9: nothing reads `empty`, itself or through a view.
static LogicalResult checkEmpty(tensor::EmptyOp empty) {
  bool ok = true;
  SmallVector<Value> values = {empty.getResult()};
  while (!values.empty())
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
              tensor::ExtractSliceOp>(op)) {
        values.push_back(op->getResult(0));
        continue;
      }
      if (!readsElements(use))
        continue;
      InFlightDiagnostic diag =
          op->emitOpError("reads ")
          << getOperandName(use)
          << ", to which nothing has been written; expected a tensor of "
             "values, made by linalg.fill for instance";
      diag.attachNote(empty.getLoc()) << "made here";
      ok = false;
    }
  return success(ok);
}

/// C4 to C9 of one operation.
static LogicalResult checkOperation(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (!isKnownDialect(dialect))
    return op->emitOpError("is of dialect '")
           << dialect
           << "', which is not compiled; expected operations of attn, linalg, "
              "tensor, scf, arith and math: lower to these first";
  if (auto call = dyn_cast<func::CallOp>(op))
    return checkCall(call);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return checkEmpty(empty);
  if (StringRef name = op->getName().getStringRef();
      name == "cf.assert" || name == "vector.print")
    return op->emitOpError("ends or prints from within a function that is "
                           "called from C, which is not compiled; expected "
                           "what it looks at as a result of the function");
  if (!hasTensors(op) || dialect == "attn" || isa<func::ReturnOp>(op))
    return success();
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector_of<Type>(op->getOperandTypes()),
                                llvm::to_vector_of<Type>(op->getResultTypes())))
    if (isa<UnrankedTensorType>(type))
      return op->emitOpError("has a tensor of type ")
             << type << ", expected one whose rank is known";
  if (isa<scf::WhileOp, scf::ConditionOp>(op)) {
    if (isa<scf::WhileOp>(op))
      return op->emitOpError("carries tensors, which is only compiled of loops "
                             "whose steps are counted; expected scf.for");
    return success(); // its loop is reported
  }
  if (OpTrait::hasElementwiseMappableTraits(op))
    return success(); // becomes linalg
  bool isLowered = dialect != "vector" && dialect != "memref" &&
                   isa<bufferization::BufferizableOpInterface>(op) &&
                   (dialect != "linalg" || isa<linalg::LinalgOp>(op));
  if (isLowered)
    return success();
  return op->emitOpError("on tensors is not compiled; expected structured "
                         "operations of linalg, elementwise ones of arith and "
                         "math, scf, and those of tensor that bufferize: "
                         "decompose it into these first");
}

static LogicalResult checkFunction(func::FuncOp function) {
  bool ok = true;
  if (!isHostFunction(function)) // of others attn-infer-host-signature reports
    if (std::string why = explainBadFunctionName(function.getSymName());
        !why.empty()) {
      function.emitOpError("is not compiled: its name ")
          << why << "; expected another one, such as '"
          << makeFunctionName(function.getSymName()) << "'";
      ok = false;
    }
  if (isHostFunction(function) && !function.getBody().hasOneBlock()) {
    function.emitOpError("is on tensors and has ")
        << function.getBody().getBlocks().size()
        << " blocks, expected one: use scf instead of cf";
    return failure();
  }
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    ok &= succeeded(checkOperation(op));
    // What regions of attention may hold is the verifier's to say.
    return op->getName().getDialectNamespace() == "attn"
               ? WalkResult::skip()
               : WalkResult::advance();
  });
  return success(ok);
}

LogicalResult attn::checkModuleSymbols(ModuleOp module) {
  bool ok = true;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isHostFunction(function))
      continue;
    std::string name = (function.getSymName() + "_impl").str();
    Operation *other = SymbolTable::lookupSymbolIn(module, name);
    if (!other)
      continue;
    InFlightDiagnostic diag = function.emitOpError("needs the name '@")
                              << name
                              << "' for its code, which is taken; expected "
                                 "another name for one of the two";
    diag.attachNote(other->getLoc()) << "by this operation";
    ok = false;
  }
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || !op->hasTrait<OpTrait::SymbolTable>())
      return WalkResult::advance();
    op->emitOpError("is nested in a module, and nothing in it would be "
                    "compiled; expected functions in one module");
    ok = false;
    return WalkResult::skip();
  });
  return success(ok);
}

namespace {
struct CheckHostProgramPass
    : attn::impl::CheckHostProgramPassBase<CheckHostProgramPass> {
  void runOnOperation() override {
    if (failed(checkModuleSymbols(getOperation())))
      return signalPassFailure();
    bool ok = true;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        ok &= succeeded(checkFunction(function));
    if (!ok)
      signalPassFailure();
  }
};
} // namespace
