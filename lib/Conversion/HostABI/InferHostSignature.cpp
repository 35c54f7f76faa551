//===- InferHostSignature.cpp - Infers how functions are called -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects facts about extents over a function's body and ties them to its
// arguments and results; and the pass that records the outcome.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/CNames.h"
#include "attn/Conversion/HostABI/HostSignature.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Conversion/HostABI/ShapeContract.h"
#include "attn/Interfaces/ShapeFacts.h"
#include "attn/Support/Faults.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::attn {
#define GEN_PASS_DEF_INFERHOSTSIGNATUREPASS
#include "attn/Conversion/HostABI/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

class Inference {
public:
  explicit Inference(func::FuncOp func) : func(func), faults(func) {}

  FailureOr<HostSignature> run();

private:
  /// A relation that `op` asks for.
  struct Relation {
    Operation *op;
    HostRelation::Kind kind;
    ExtentRef lhs, rhs;
    int64_t offset;
  };

  /// The extents of `value`, a ranked tensor, made known when first asked for.
  ArrayRef<ShapeContract::Extent> getExtents(Value value);
  std::optional<ShapeContract::Extent> getExtent(ExtentRef ref);

  /// "extent 2 of 'k'"
  std::string describe(ExtentRef ref) const;
  /// Makes two extents equal as `op` asks; an error there if they cannot be.
  void merge(Operation *op, ExtentRef a, ExtentRef b);
  void mergeShapes(Operation *op, Value a, Value b);
  /// Dimensions that a reshape keeps.
  void mergeReassociated(Operation *op, Value collapsed, Value expanded,
                         ArrayRef<ReassociationIndices> groups);

  bool checkTypes();
  void collectFacts();
  void collectFrom(Operation *op);
  void mergeSizes(Operation *op, ArrayRef<OpFoldResult> sizes, Value value);
  void mergeLoops(linalg::LinalgOp op);
  void collectFromBranches();
  void readDims(ArrayAttr dims, ArrayRef<ShapeContract::Extent> extents,
                const Twine &what);
  void readAnnotations();
  void nameArguments(HostSignature &signature);
  void resolve(HostSignature &signature);
  void addRelation(const Relation &asked, HostSignature &signature);
  /// An argument's dimension equal to `extent`: one of `preferred` if that is
  /// an argument.
  bool locate(ExtentRef preferred, unsigned &arg, unsigned &dim);

  func::FuncOp func;
  Faults faults;
  func::ReturnOp returnOp;
  ShapeContract contract;
  llvm::DenseMap<Value, SmallVector<ShapeContract::Extent>> extents;
  llvm::StringMap<ShapeContract::Extent> annotated;
  SmallVector<Relation> relations;
  SmallVector<ShapeFacts::ExtentName> extentNames;
  SmallVector<ShapeFacts::ValueName> valueNames;
  bool anyErrorAtOps = false;
};

} // namespace

ArrayRef<ShapeContract::Extent> Inference::getExtents(Value value) {
  auto [it, isNew] = extents.try_emplace(value);
  if (isNew)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (int64_t size : type.getShape())
        it->second.push_back(contract.add(
            ShapedType::isDynamic(size) ? std::nullopt : std::optional(size)));
  return it->second;
}

std::optional<ShapeContract::Extent> Inference::getExtent(ExtentRef ref) {
  ArrayRef<ShapeContract::Extent> all = getExtents(ref.value);
  if (ref.dim < 0 || ref.dim >= static_cast<int64_t>(all.size()))
    return std::nullopt;
  return all[ref.dim];
}

std::string Inference::describe(ExtentRef ref) const {
  std::string text = "extent " + std::to_string(ref.dim);
  for (const ShapeFacts::ValueName &known : valueNames)
    if (known.value == ref.value)
      return text + " of '" + known.name + "'";
  return text + (isa<BlockArgument>(ref.value) ? " of an argument"
                                               : " of an operand or result");
}

void Inference::merge(Operation *op, ExtentRef a, ExtentRef b) {
  std::optional<ShapeContract::Extent> first = getExtent(a),
                                       second = getExtent(b);
  if (!first || !second || contract.merge(*first, *second))
    return;
  op->emitOpError("expected ")
      << describe(a) << " to be " << *contract.getConstant(*second) << " as "
      << describe(b) << ", got " << *contract.getConstant(*first);
  anyErrorAtOps = true;
}

void Inference::mergeShapes(Operation *op, Value a, Value b) {
  int64_t rank = getExtents(a).size();
  if (rank == static_cast<int64_t>(getExtents(b).size()))
    for (int64_t d = 0; d < rank; ++d)
      merge(op, {a, d}, {b, d});
}

bool Inference::checkTypes() {
  auto check = [&](Type type, const Twine &what, bool mayBeScalar) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    bool valid = tensor ? getHostElementType(tensor.getElementType()) &&
                              !tensor.getEncoding()
                        : mayBeScalar && !getHostScalarType(type).empty();
    faults.require(
        valid, what.str(),
        " expected a ranked tensor of f16, bf16, f32, f64, "
        "i1, i8, i16, i32 or i64",
        mayBeScalar ? ", or a scalar of type index, i32, i64, f32 or f64" : "",
        ", got ", type);
  };
  for (auto [n, type] : llvm::enumerate(func.getArgumentTypes()))
    check(type, "argument " + Twine(n), /*mayBeScalar=*/true);
  for (auto [n, type] : llvm::enumerate(func.getResultTypes()))
    check(type, "result " + Twine(n), /*mayBeScalar=*/false);
  // C5
  if (std::string why = explainBadFunctionName(func.getSymName()); !why.empty())
    faults.add("its name ", why, "; expected another one, such as '",
               makeFunctionName(func.getSymName()), "'");
  unsigned numReturns = 0;
  func.walk([&](func::ReturnOp op) {
    returnOp = op;
    ++numReturns;
  });
  faults.require(numReturns == 1, "expected one func.return, got ", numReturns);
  return faults.empty();
}

void Inference::collectFrom(Operation *op) {
  if (auto source = dyn_cast<ShapeFactsOpInterface>(op)) {
    ShapeFacts facts;
    source.collectShapeFacts(facts);
    llvm::append_range(extentNames, facts.extentNames);
    llvm::append_range(valueNames, facts.valueNames);
    for (const ShapeFacts::Equality &fact : facts.equalities) {
      if (fact.offset == 0)
        merge(op, fact.lhs, fact.rhs);
      else
        relations.push_back(
            {op, HostRelation::Kind::Offset, fact.lhs, fact.rhs, fact.offset});
    }
    for (const ShapeFacts::Multiple &fact : facts.multiples)
      relations.push_back(
          {op, HostRelation::Kind::Multiple, fact.lhs, fact.rhs, 0});
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    mergeShapes(op, cast.getSource(), cast.getResult());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    mergeReassociated(op, collapse.getResult(), collapse.getSrc(),
                      collapse.getReassociationIndices());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    mergeReassociated(op, expand.getSrc(), expand.getResult(),
                      expand.getReassociationIndices());
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      if (OpOperand *init = dps.getTiedOpOperand(result))
        mergeShapes(op, init->get(), result);
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    for (auto [output, argument, result] :
         llvm::zip_equal(forall.getOutputs(), forall.getRegionIterArgs(),
                         forall.getResults())) {
      mergeShapes(op, output, argument);
      mergeShapes(op, output, result);
    }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    mergeSizes(op, empty.getMixedSizes(), empty);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    mergeSizes(op, expand.getMixedOutputShape(), expand);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [d, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(d))
        sizes.push_back(size);
    mergeSizes(op, sizes, slice);
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    mergeLoops(structured);
  else if (OpTrait::hasElementwiseMappableTraits(op) ||
           op->hasTrait<OpTrait::SameOperandsAndResultShape>())
    for (Value result : op->getResults())
      for (Value operand : op->getOperands())
        mergeShapes(op, operand, result);
}

/// `sizes` are those of `value`: an extent of another tensor makes them equal.
void Inference::mergeSizes(Operation *op, ArrayRef<OpFoldResult> sizes,
                           Value value) {
  for (auto [d, size] : llvm::enumerate(sizes)) {
    auto dynamic = dyn_cast<Value>(size);
    auto dim = dynamic ? dynamic.getDefiningOp<tensor::DimOp>() : nullptr;
    if (dim && dim.getConstantIndex())
      merge(op, {dim.getSource(), *dim.getConstantIndex()},
            {value, static_cast<int64_t>(d)});
  }
}

/// Extents that one loop of a structured operation runs over.
void Inference::mergeLoops(linalg::LinalgOp op) {
  llvm::DenseMap<unsigned, ExtentRef> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      ExtentRef here = {operand.get(), static_cast<int64_t>(d)};
      auto [it, isNew] = loops.try_emplace(dim.getPosition(), here);
      if (!isNew)
        merge(op, it->second, here);
    }
  }
}

/// What loops carry and conditions choose has an extent if every way to it has
/// it: supposed first, and kept as far as what is supposed confirms itself. To
/// state instead that the ways are equal would ask of the caller what the
/// operations do not.
void Inference::collectFromBranches() {
  SmallVector<std::pair<ExtentRef, SmallVector<ExtentRef>>> claims;
  func.getBody().walk([&](RegionBranchOpInterface op) {
    RegionBranchInverseSuccessorMapping ways;
    op.getSuccessorInputOperandMapping(ways);
    SmallVector<Value> inputs(op->getResults());
    for (Region &region : op->getRegions())
      if (!region.empty())
        llvm::append_range(inputs, region.getArguments());
    for (Value input : inputs)
      for (int64_t d = 0, e = getExtents(input).size(); d < e; ++d) {
        // Where a loop begins comes first: what it repeats is held against it.
        SmallVector<OpOperand *> operands = ways.lookup(input);
        llvm::sort(operands, [&](OpOperand *a, OpOperand *b) {
          auto key = [&](OpOperand *way) {
            bool isEntry = way->getOwner() == op;
            return std::tuple(
                !isEntry,
                isEntry ? 0
                        : way->getOwner()->getParentRegion()->getRegionNumber(),
                way->getOperandNumber());
          };
          return key(a) < key(b);
        });
        SmallVector<ExtentRef> from;
        for (OpOperand *operand : operands) {
          from.push_back({operand->get(), d});
          (void)getExtents(operand->get());
        }
        claims.push_back({{input, d}, std::move(from)});
      }
  });
  for (bool isStable = false; !isStable;) {
    ShapeContract supposed = contract;
    auto isRefuted = [&](auto &claim) {
      return claim.second.empty() ||
             llvm::any_of(claim.second, [&](ExtentRef from) {
               return !getExtent(from) ||
                      !supposed.areEqual(*getExtent(claim.first),
                                         *getExtent(from));
             });
    };
    for (auto &[input, from] : claims)
      if (!from.empty())
        if (auto first = getExtent(from.front()))
          supposed.merge(*getExtent(input), *first);
    size_t before = claims.size();
    llvm::erase_if(claims, isRefuted);
    isStable = claims.size() == before;
    if (isStable)
      contract = supposed;
  }
}

void Inference::mergeReassociated(Operation *op, Value collapsed,
                                  Value expanded,
                                  ArrayRef<ReassociationIndices> groups) {
  for (auto [d, group] : llvm::enumerate(groups))
    if (group.size() == 1)
      merge(op, {collapsed, static_cast<int64_t>(d)},
            {expanded, group.front()});
}

void Inference::collectFacts() {
  func.getBody().walk([&](Operation *op) { collectFrom(op); });
  for (const ShapeFacts::ExtentName &fact : extentNames)
    if (auto extent = getExtent(fact.extent))
      contract.suggestName(*extent, fact.name);
  collectFromBranches();
}

void Inference::readDims(ArrayAttr dims,
                         ArrayRef<ShapeContract::Extent> extents,
                         const Twine &what) {
  if (!faults.require(dims.size() == extents.size(), what.str(),
                      " expected 'attn.dims' of ", extents.size(),
                      " entries, got ", dims.size()))
    return;
  for (auto [dim, extent] : llvm::zip_equal(dims, extents)) {
    std::optional<ShapeContract::Extent> equal;
    if (auto name = dyn_cast<StringAttr>(dim)) {
      auto [it, isNew] = annotated.try_emplace(name.getValue(), extent);
      equal = it->second;
      if (!name.empty())
        contract.suggestName(extent, makeCIdentifier(name));
    } else if (auto size = dyn_cast<IntegerAttr>(dim)) {
      if (!faults.require(!size.getValue().isNegative(), what.str(),
                          " expected 'attn.dims' of names and numbers of at "
                          "least 0, got ",
                          dim))
        continue;
      equal = contract.add(size.getInt());
    } else {
      faults.add(what.str(), " expected 'attn.dims' of names and numbers, got ",
                 dim);
      continue;
    }
    faults.require(contract.merge(extent, *equal), what.str(),
                   " has 'attn.dims' ", dims,
                   ", which the type or another annotation contradicts");
  }
}

void Inference::readAnnotations() {
  for (BlockArgument arg : func.getArguments())
    if (auto dims =
            func.getArgAttrOfType<ArrayAttr>(arg.getArgNumber(), "attn.dims"))
      readDims(dims, getExtents(arg), "argument " + Twine(arg.getArgNumber()));
  for (auto [n, value] : llvm::enumerate(returnOp.getOperands()))
    if (auto dims = func.getResultAttrOfType<ArrayAttr>(n, "attn.dims"))
      readDims(dims, getExtents(value), "result " + Twine(n));
}

void Inference::nameArguments(HostSignature &signature) {
  llvm::StringSet<> used;
  auto choose = [&](StringAttr given, Value value, std::string fallback) {
    std::string base;
    if (given)
      base = given.str();
    else if (auto loc = isa_and_nonnull<BlockArgument>(value)
                            ? dyn_cast<NameLoc>(value.getLoc())
                            : NameLoc())
      base = loc.getName().str();
    if (base.empty() && value)
      for (const ShapeFacts::ValueName &fact : valueNames)
        if (fact.value == value && base.empty())
          base = fact.name;
    if (base.empty())
      base = std::move(fallback);
    base = makeCIdentifier(base);
    std::string name = base;
    for (unsigned n = 1; !used.insert(name).second; ++n)
      name = base + "_" + std::to_string(n);
    return name;
  };
  unsigned numResults = func.getNumResults();
  for (BlockArgument arg : func.getArguments()) {
    unsigned n = arg.getArgNumber();
    signature.args[n].name =
        choose(func.getArgAttrOfType<StringAttr>(n, "attn.name"), arg,
               "arg" + std::to_string(n));
  }
  for (unsigned n = 0; n < numResults; ++n) {
    Value value = returnOp.getOperand(n);
    // The name of an argument that is returned is taken.
    signature.args[func.getNumArguments() + n].name =
        choose(func.getResultAttrOfType<StringAttr>(n, "attn.name"),
               isa<BlockArgument>(value) ? Value() : value,
               numResults == 1 ? "out" : "out" + std::to_string(n));
  }
}

void Inference::resolve(HostSignature &signature) {
  // Only extents of arguments are known when the function is entered.
  llvm::SmallVector<ShapeContract::Extent> known;
  for (BlockArgument arg : func.getArguments())
    llvm::append_range(known, getExtents(arg));
  auto fill = [&](HostArgument &arg, Value value) {
    SmallVector<ShapeContract::Extent> all(getExtents(value));
    for (size_t d = 0; d < all.size(); ++d) {
      ShapeContract::Extent extent = all[d];
      if (std::optional<int64_t> size = contract.getConstant(extent)) {
        arg.dims.push_back(*size);
        continue;
      }
      unsigned symbol =
          contract.getSymbol(extent, arg.name + "_dim" + std::to_string(d));
      arg.dims.push_back(-1 - static_cast<int64_t>(symbol));
      bool isKnown = llvm::any_of(known, [&](ShapeContract::Extent other) {
        return contract.areEqual(extent, other);
      });
      faults.require(isKnown, "result '", arg.name, "' has an extent ", d,
                     " that no argument determines; expected it to be "
                     "constant, or 'attn.dims' that name it as an argument's");
    }
  };
  for (BlockArgument arg : func.getArguments())
    if (signature.args[arg.getArgNumber()].isTensor)
      fill(signature.args[arg.getArgNumber()], arg);
  for (auto [n, value] : llvm::enumerate(returnOp.getOperands()))
    fill(signature.args[func.getNumArguments() + n], value);
  signature.symbols.assign(contract.getSymbolNames().begin(),
                           contract.getSymbolNames().end());
}

bool Inference::locate(ExtentRef preferred, unsigned &arg, unsigned &dim) {
  std::optional<ShapeContract::Extent> extent = getExtent(preferred);
  if (!extent)
    return false;
  for (bool exact : {true, false})
    for (BlockArgument other : func.getArguments())
      for (auto [d, candidate] : llvm::enumerate(getExtents(other)))
        if (exact ? other == preferred.value &&
                        static_cast<int64_t>(d) == preferred.dim
                  : contract.areEqual(*extent, candidate)) {
          arg = other.getArgNumber();
          dim = d;
          return true;
        }
  return false;
}

void Inference::addRelation(const Relation &asked, HostSignature &signature) {
  auto lhsExtent = getExtent(asked.lhs), rhsExtent = getExtent(asked.rhs);
  if (!lhsExtent || !rhsExtent)
    return;
  std::optional<int64_t> lhs = contract.getConstant(*lhsExtent);
  std::optional<int64_t> rhs = contract.getConstant(*rhsExtent);
  bool isMultiple = asked.kind == HostRelation::Kind::Multiple;
  if (lhs && rhs) { // settled here
    bool holds = isMultiple ? (*rhs == 0 ? *lhs == 0 : *lhs % *rhs == 0)
                            : *lhs == *rhs + asked.offset;
    if (holds)
      return;
    asked.op->emitOpError("expected ")
        << describe(asked.lhs) << " to be "
        << (isMultiple ? "a multiple of " : "") << *rhs + asked.offset
        << " because of " << describe(asked.rhs) << ", got " << *lhs;
    anyErrorAtOps = true;
    return;
  }
  if (isMultiple &&
      (lhs == 0 || rhs == 1 || contract.areEqual(*lhsExtent, *rhsExtent)))
    return;
  HostRelation relation;
  relation.kind = asked.kind;
  relation.offset = asked.offset;
  if (!locate(asked.lhs, relation.lhsArg, relation.lhsDim) ||
      !locate(asked.rhs, relation.rhsArg, relation.rhsDim))
    return; // between values computed inside
  auto dim = [&](unsigned arg, unsigned d) {
    return signature.args[arg].dims[d];
  };
  auto isSame = [&](const HostRelation &other) {
    return other.kind == relation.kind && other.offset == relation.offset &&
           dim(other.lhsArg, other.lhsDim) ==
               dim(relation.lhsArg, relation.lhsDim) &&
           dim(other.rhsArg, other.rhsDim) ==
               dim(relation.rhsArg, relation.rhsDim);
  };
  if (llvm::none_of(signature.relations, isSame))
    signature.relations.push_back(relation);
}

FailureOr<HostSignature> Inference::run() {
  if (!checkTypes())
    return faults.emit();
  readAnnotations();
  collectFacts();
  HostSignature signature;
  signature.symbol = func.getSymName().str();
  auto add = [&](Type type, bool isOutput) {
    HostArgument arg;
    auto tensor = dyn_cast<RankedTensorType>(type);
    arg.isTensor = static_cast<bool>(tensor);
    arg.isOutput = isOutput;
    arg.type = tensor ? tensor.getElementType() : type;
    signature.args.push_back(std::move(arg));
  };
  for (Type type : func.getArgumentTypes())
    add(type, /*isOutput=*/false);
  for (Type type : func.getResultTypes())
    add(type, /*isOutput=*/true);
  nameArguments(signature);
  bool isConsistent = faults.empty() && !anyErrorAtOps;
  if (isConsistent)
    resolve(signature);
  if (isConsistent && faults.empty())
    for (const Relation &asked : relations)
      addRelation(asked, signature);
  if (failed(faults.emit()) || anyErrorAtOps)
    return failure();
  return signature;
}

FailureOr<HostSignature> attn::inferHostSignature(func::FuncOp func) {
  return Inference(func).run();
}

namespace {

struct InferHostSignaturePass
    : attn::impl::InferHostSignaturePassBase<InferHostSignaturePass> {
  void runOnOperation() override {
    bool anyFailed = false;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!isHostFunction(func) || func->hasAttr(HostSignature::kAttrName))
        continue;
      FailureOr<HostSignature> signature = inferHostSignature(func);
      anyFailed |= failed(signature);
      if (succeeded(signature))
        func->setAttr(HostSignature::kAttrName,
                      signature->toAttr(&getContext()));
    }
    if (anyFailed)
      signalPassFailure();
  }
};

} // namespace

bool attn::isHostFunction(func::FuncOp func) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return func.isPublic() && !func.isExternal() &&
         (llvm::any_of(func.getArgumentTypes(), isTensor) ||
          llvm::any_of(func.getResultTypes(), isTensor));
}
