//===- BindHostMemory.cpp - Functions on tensors to functions on memory ---===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives public functions memrefs of their callers to read and to write, ahead
// of bufferization.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/HostSignature.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::attn {
#define GEN_PASS_DEF_BINDHOSTMEMORYPASS
#include "attn/Conversion/HostABI/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// The memref that stands for an argument or result: any strides but a dense
/// last dimension, no offset. What attn_rt_bind_arguments makes.
static MemRefType getHostMemRefType(RankedTensorType type) {
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  if (!strides.empty())
    strides.back() = 1;
  auto layout =
      StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides);
  return MemRefType::get(type.getShape(), type.getElementType(), layout);
}

/// The tensor that the operation of `value` writes into to make it; none if it
/// has no such.
static Value getDestination(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  Operation *op = result.getOwner();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    OpOperand *init = dps.getTiedOpOperand(result);
    return init ? init->get() : Value();
  }
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return forall.getOutputs()[result.getResultNumber()];
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    Value init = loop.getInitArgs()[result.getResultNumber()];
    if (init.getType() == value.getType())
      return init;
  }
  return {};
}

/// The tensor that the computation of `value` starts to write into, as far back
/// as destinations lead.
static Value getOrigin(Value value) {
  while (Value destination = getDestination(value))
    value = destination;
  return value;
}

/// Whether `value` stands in the block of `op` or around it, before it.
static bool isDefinedBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return true; // an argument of the function
  Operation *here = definition->getBlock()->findAncestorOpInBlock(*op);
  return here && definition->isBeforeInBlock(here);
}

/// Whether the memory of `value`, which `branch` gives, is nobody else's: what
/// computes it, as far back as destinations lead, stands in the branch, or it
/// is the caller's. Memory of outside has readers behind the condition, of
/// which bufferization does not know that another branch writes to the same
/// place.
static bool isComputedIn(Region &branch, Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<bufferization::ToTensorOp, tensor::EmptyOp>(op) ||
        op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (!branch.isAncestor(op->getParentRegion()))
      return false;
    bool isReshape = isa<tensor::CastOp, tensor::CollapseShapeOp>(op);
    Value next = isReshape ? op->getOperand(0) : getDestination(value);
    if (!next)
      return true;
    value = next;
  }
  return true;
}

/// Whether `value`, the result of a condition, is computed in both branches.
static bool isComputedInBranches(OpResult value) {
  return llvm::all_of(value.getOwner()->getRegions(), [&](Region &branch) {
    Operation *end = branch.front().getTerminator();
    return isComputedIn(branch, end->getOperand(value.getResultNumber()));
  });
}

namespace {

/// Binds the results of one function.
class ResultBinder {
public:
  explicit ResultBinder(OpBuilder &builder) : builder(builder) {}

  /// Writes operand `n` of `end`, the terminator of a function or of a branch,
  /// to `memory` and takes it off `end`.
  void bind(Operation *end, unsigned n, Value memory);

private:
  Value viewAs(Operation *end, tensor::CollapseShapeOp collapse, Value memory);
  void bindInBranches(OpResult value, Value memory);

  OpBuilder &builder;
};

} // namespace

/// `memory` seen in the shape that `collapse` collapses. The view stands before
/// the tensor.empty that the computation starts from, if it starts from one, so
/// that the tensor.empty can be replaced by it.
Value ResultBinder::viewAs(Operation *end, tensor::CollapseShapeOp collapse,
                           Value memory) {
  Value source = collapse.getSrc();
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  FailureOr<MemRefType> viewType = memref::ExpandShapeOp::computeExpandedType(
      cast<MemRefType>(memory.getType()), type.getShape(), groups);
  assert(succeeded(viewType) && "an expansion of a strided layout is strided");

  SmallVector<OpFoldResult> sizes;
  OpBuilder::InsertionGuard guard(builder);
  Value origin = getOrigin(source);
  if (type.hasStaticShape()) {
    builder.setInsertionPointAfterValue(memory);
    for (int64_t size : type.getShape())
      sizes.push_back(builder.getIndexAttr(size));
  } else if (auto empty = origin.getDefiningOp<tensor::EmptyOp>();
             empty && isDefinedBefore(memory, empty)) {
    builder.setInsertionPoint(empty);
    sizes = empty.getMixedSizes();
  } else {
    builder.setInsertionPoint(end);
    sizes = tensor::getMixedSizes(builder, end->getLoc(), source);
  }
  // The origin may be more or less static than the value computed from it.
  for (auto [size, extent] : llvm::zip_equal(sizes, type.getShape())) {
    if (!ShapedType::isDynamic(extent))
      size = builder.getIndexAttr(extent);
    else if (isa<Attribute>(size))
      size = arith::ConstantIndexOp::create(builder, end->getLoc(),
                                            *getConstantIntValue(size))
                 .getResult();
  }
  return memref::ExpandShapeOp::create(builder, collapse.getLoc(), *viewType,
                                       memory, groups, sizes);
}

/// Writes `value`, the result of a condition, in the branches, where what
/// computes it can write it at its place, and takes it off the condition.
void ResultBinder::bindInBranches(OpResult value, Value memory) {
  auto condition = cast<scf::IfOp>(value.getOwner());
  unsigned n = value.getResultNumber();
  for (Block *branch : {condition.thenBlock(), condition.elseBlock()})
    bind(branch->getTerminator(), n, memory);
  SmallVector<Value> kept(condition.getResults());
  kept.erase(kept.begin() + n);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(condition);
  auto without =
      scf::IfOp::create(builder, condition.getLoc(),
                        ValueRange(kept).getTypes(), condition.getCondition());
  without->setDiscardableAttrs(
      llvm::to_vector(condition->getDiscardableAttrs()));
  without.getThenRegion().takeBody(condition.getThenRegion());
  without.getElseRegion().takeBody(condition.getElseRegion());
  for (auto [old, result] : llvm::zip_equal(kept, without.getResults()))
    old.replaceAllUsesWith(result);
  condition.erase();
}

void ResultBinder::bind(Operation *end, unsigned n, Value memory) {
  Value value = end->getOperand(n);
  bool isOnlyUse = value.hasOneUse();
  SmallVector<Operation *> reshapes; // from the end backwards
  for (;;) {
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
      memory = viewAs(end, collapse, memory);
      value = collapse.getSrc();
      isOnlyUse &= value.hasOneUse();
      reshapes.push_back(collapse);
      continue;
    }
    auto cast = value.getDefiningOp<tensor::CastOp>();
    auto source =
        cast ? dyn_cast<RankedTensorType>(cast.getSource().getType()) : nullptr;
    if (!source)
      break;
    auto type = mlir::cast<MemRefType>(memory.getType());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(memory);
    memory = memref::CastOp::create(builder, cast.getLoc(),
                                    MemRefType::get(source.getShape(),
                                                    type.getElementType(),
                                                    type.getLayout()),
                                    memory);
    value = cast.getSource();
    isOnlyUse &= value.hasOneUse();
    reshapes.push_back(cast);
  }
  end->eraseOperand(n);
  auto condition = value.getDefiningOp<scf::IfOp>();
  bool inBranches = condition && isOnlyUse &&
                    isDefinedBefore(memory, condition) &&
                    isComputedInBranches(cast<OpResult>(value));
  if (!inBranches) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(end);
    auto write = bufferization::MaterializeInDestinationOp::create(
        builder, end->getLoc(), /*result=*/Type(), value, memory);
    write.setRestrict(true);
    write.setWritable(true);
  }
  // Reshapes that only the end used would be bufferized with a copy.
  for (Operation *op : reshapes)
    if (op->use_empty())
      op->erase();
  if (inBranches)
    bindInBranches(cast<OpResult>(value), memory);
}

/// Turns `func` into a function on memrefs, in place.
static void bindMemory(func::FuncOp func) {
  Block &entry = func.getBody().front();
  OpBuilder builder(func.getContext());
  builder.setInsertionPointToStart(&entry);
  SmallVector<Type> types;
  for (BlockArgument arg : entry.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type) {
      types.push_back(arg.getType());
      continue;
    }
    types.push_back(getHostMemRefType(type));
    arg.setType(types.back());
    auto tensor = bufferization::ToTensorOp::create(builder, arg.getLoc(), type,
                                                    arg, /*restrict=*/true);
    arg.replaceAllUsesExcept(tensor, tensor);
  }

  func::ReturnOp returnOp;
  func.walk([&](func::ReturnOp op) { returnOp = op; });
  SmallVector<Value> memories;
  for (Value value : returnOp.getOperands()) {
    types.push_back(getHostMemRefType(cast<RankedTensorType>(value.getType())));
    memories.push_back(entry.addArgument(types.back(), value.getLoc()));
  }
  ResultBinder binder(builder);
  for (Value memory : memories)
    binder.bind(returnOp, 0, memory);

  // What attributes of arguments and results said is in the signature.
  func.removeArgAttrsAttr();
  func.removeResAttrsAttr();
  func.setFunctionType(builder.getFunctionType(types, {}));
}

namespace {

struct BindHostMemoryPass
    : attn::impl::BindHostMemoryPassBase<BindHostMemoryPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SymbolTableCollection collection;
    SymbolUserMap users(collection, getOperation());
    SmallVector<func::FuncOp> funcs;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (isHostFunction(func))
        funcs.push_back(func);
    bool anyFailed = false;
    for (func::FuncOp func : funcs)
      anyFailed |= failed(check(func, symbols, users));
    if (anyFailed)
      return signalPassFailure();
    for (func::FuncOp func : funcs) {
      bindMemory(func);
      // Nothing uses the old name: checked above.
      symbols.remove(func);
      func.setSymName((func.getSymName() + "_impl").str());
      func.setPrivate();
      symbols.insert(func);
    }
  }

private:
  /// Makes sure that `func` has a signature, and checks C1 to C3.
  LogicalResult check(func::FuncOp func, SymbolTable &symbols,
                      SymbolUserMap &users) {
    std::string name = (func.getSymName() + "_impl").str();
    if (Operation *other = symbols.lookup(name)) { // C3
      InFlightDiagnostic diag = func.emitOpError("needs the name '@")
                                << name << "', which is taken";
      diag.attachNote(other->getLoc()) << "by this operation";
      return diag;
    }
    if (ArrayRef<Operation *> calls = users.getUsers(func); // C2
        !calls.empty()) {
      InFlightDiagnostic diag = func.emitOpError(
          "is public, to be called from C, and used inside the module; "
          "expected "
          "a private function that both the public one and the user call");
      diag.attachNote(calls.front()->getLoc()) << "used here";
      return diag;
    }
    if (func->hasAttr(HostSignature::kAttrName))
      return checkTypes(func);
    FailureOr<HostSignature> signature = inferHostSignature(func); // C1
    if (failed(signature))
      return failure();
    func->setAttr(HostSignature::kAttrName, signature->toAttr(&getContext()));
    return success();
  }

  /// The signature may have been recorded long ago, or written by hand.
  LogicalResult checkTypes(func::FuncOp func) {
    FailureOr<HostSignature> signature = HostSignature::get(func);
    if (failed(signature))
      return failure();
    SmallVector<Type> types(func.getArgumentTypes());
    llvm::append_range(types, func.getResultTypes());
    bool matches = types.size() == signature->args.size();
    for (auto [type, arg] : llvm::zip(types, signature->args)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      matches &= static_cast<bool>(tensor) == arg.isTensor &&
                 (tensor ? tensor.getElementType() : type) == arg.type;
      if (!tensor ||
          tensor.getRank() != static_cast<int64_t>(arg.dims.size())) {
        matches &= !tensor;
        continue;
      }
      for (auto [size, dim] : llvm::zip_equal(tensor.getShape(), arg.dims))
        matches &= ShapedType::isDynamic(size) || size == dim;
    }
    if (!matches)
      return func.emitOpError("has a type that '")
             << HostSignature::kAttrName
             << "' does not describe: " << func.getFunctionType();
    unsigned numReturns = 0;
    func.walk([&](func::ReturnOp) { ++numReturns; });
    if (numReturns != 1)
      return func.emitOpError("expected one func.return, got ") << numReturns;
    return success();
  }
};

} // namespace
