//===- KernelOps.cpp - Kernels and work -----------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Syntax and constraints of kernels and of the work loop.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  int64_t warpgroups, cluster = 1;
  Builder &b = parser.getBuilder();
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs) ||
      parser.parseKeyword("warpgroups") || parser.parseInteger(warpgroups) ||
      (succeeded(parser.parseOptionalKeyword("cluster")) &&
       parser.parseInteger(cluster)) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<Type> types;
  for (const OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(b.getFunctionType(types, resultTypes)));
  result.addAttribute(getWarpgroupsAttrName(result.name),
                      b.getI64IntegerAttr(warpgroups));
  result.addAttribute(getClusterAttrName(result.name),
                      b.getI64IntegerAttr(cluster));
  call_interface_impl::addArgAndResultAttrs(b, result, arguments, resultAttrs,
                                            getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(
      printer, *this, getArgumentTypes(), /*isVariadic=*/false,
      getResultTypes());
  printer << " warpgroups " << getWarpgroups();
  if (getCluster() != 1)
    printer << " cluster " << getCluster();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getWarpgroupsAttrName(),
       getClusterAttrName(), getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// The entry `name` of the schedule of `kernel`; null without one.
static Attribute getWanted(KernelOp kernel, StringRef name) {
  auto schedule =
      kernel->getAttrOfType<DictionaryAttr>(KernelOp::kScheduleAttrName);
  return schedule ? schedule.get(name) : Attribute();
}

static std::optional<int64_t> getWantedInteger(KernelOp kernel,
                                               StringRef name) {
  auto wanted = dyn_cast_if_present<IntegerAttr>(getWanted(kernel, name));
  if (!wanted)
    return std::nullopt;
  return wanted.getInt();
}

std::optional<int64_t> KernelOp::getWantedStages() {
  return getWantedInteger(*this, "stages");
}
std::optional<int64_t> KernelOp::getWantedCluster() {
  return getWantedInteger(*this, "cluster");
}

std::optional<WorkSchedule> KernelOp::getWantedWork() {
  auto work = dyn_cast_if_present<StringAttr>(getWanted(*this, "work"));
  return work ? symbolizeWorkSchedule(work) : std::nullopt;
}

static std::optional<bool> getWantedBool(KernelOp kernel, StringRef name) {
  auto wanted = dyn_cast_if_present<BoolAttr>(getWanted(kernel, name));
  if (!wanted)
    return std::nullopt;
  return wanted.getValue();
}

std::optional<bool> KernelOp::getWantedTurns() {
  return getWantedBool(*this, "turns");
}
std::optional<bool> KernelOp::getWantedFlatten() {
  return getWantedBool(*this, "flatten");
}

/// C4.
static LogicalResult verifyWishes(KernelOp kernel) {
  for (StringRef name :
       {KernelOp::kScheduleAttrName, KernelOp::kOriginAttrName})
    if (Attribute attr = kernel->getDiscardableAttr(name);
        attr && !isa<DictionaryAttr>(attr))
      return kernel.emitOpError("expected '")
             << name << "' to be a dictionary, got " << attr;
  auto schedule =
      kernel->getAttrOfType<DictionaryAttr>(KernelOp::kScheduleAttrName);
  if (!schedule)
    return success();
  LogicalResult valid = success();
  for (NamedAttribute entry : schedule) {
    bool known =
        llvm::StringSwitch<bool>(entry.getName().strref())
            .Case("stages", kernel.getWantedStages().value_or(0) >= 1 &&
                                *kernel.getWantedStages() <= 8)
            .Case("work", kernel.getWantedWork().has_value())
            .Case("turns", kernel.getWantedTurns().has_value())
            .Case("flatten", kernel.getWantedFlatten().has_value())
            .Case("cluster", kernel.getWantedCluster().value_or(0) >= 1 &&
                                 *kernel.getWantedCluster() <= 8)
            .Cases({"lazy_rescale", "queries_in_registers", "early_weights"},
                   isa<BoolAttr>(entry.getValue()))
            .Default(false);
    if (!known)
      valid =
          kernel.emitOpError("expected '")
          << KernelOp::kScheduleAttrName
          << "' to have stages and a cluster from 1 to 8, work that is once, "
             "strided or dynamic, and turns, flatten, lazy_rescale, "
             "queries_in_registers and early_weights, true or false; got "
          << entry.getName() << " = " << entry.getValue();
  }
  return valid;
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("expected no results, got ") << getResultTypes().size();
  if (getWarpgroups() < 1 || getWarpgroups() > 8)
    return emitOpError("expected 1 to 8 warpgroups, got ") << getWarpgroups();
  if (getCluster() < 1 || getCluster() > 8)
    return emitOpError("'cluster' expected 1 to 8 thread blocks, got ")
           << getCluster();
  if (getBody().front().empty() || !isa<ReturnOp>(getBody().front().back()))
    return emitOpError("expected its body to end in 'attn_gpu.return'");
  LogicalResult valid = success();
  if (getCluster() != 1)
    getBody().walk([&](WorkLoopOp work) {
      if (work.getSchedule() == WorkSchedule::Strided)
        return;
      valid = work.emitOpError("expected schedule strided in a kernel with "
                               "clusters, got ")
              << stringifyWorkSchedule(work.getSchedule());
    });
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (!memref.isLastDimUnitStride()) {
        valid = emitOpError("argument ")
                << index << ": expected unit stride in the last dimension, got "
                << type;
      }
      continue;
    }
    if (!isa<IndexType, IntegerType, Float32Type>(type))
      valid = emitOpError("argument ")
              << index
              << ": expected a memref, an index, an integer or f32, got "
              << type;
  }
  return success(succeeded(verifyWishes(*this)) && succeeded(valid));
}

//===----------------------------------------------------------------------===//
// WorkLoopOp
//===----------------------------------------------------------------------===//

void WorkLoopOp::build(OpBuilder &, OperationState &state, ValueRange extents,
                       DenseI64ArrayAttr descending) {
  state.addOperands(extents);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(extents.size()), 0, 0};
  properties.descending = descending;
  state.addRegion();
}

ParseResult WorkLoopOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  Type index = b.getIndexType();
  SmallVector<OpAsmParser::Argument> arguments, carried;
  SmallVector<OpAsmParser::UnresolvedOperand> extents, group, inits;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("in") ||
      parser.parseOperandList(extents, OpAsmParser::Delimiter::Paren))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("descending"))) {
    Attribute attr = DenseI64ArrayAttr::parse(parser, {});
    if (!attr)
      return failure();
    result.addAttribute(getDescendingAttrName(result.name), attr);
  }
  if (succeeded(parser.parseOptionalKeyword("group")) &&
      parser.parseOperand(group.emplace_back()))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    StringRef keyword;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<WorkSchedule> schedule = symbolizeWorkSchedule(keyword);
    if (!schedule)
      return parser.emitError(at, "expected 'once', 'strided' or 'dynamic', "
                                  "got '")
             << keyword << "'";
    result.addAttribute(getScheduleAttrName(result.name),
                        WorkScheduleAttr::get(parser.getContext(), *schedule));
  }
  for (OpAsmParser::Argument &argument : arguments)
    argument.type = index;
  SMLoc at = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_args"))) {
    if (parser.parseAssignmentList(carried, inits) ||
        parser.parseArrowTypeList(result.types))
      return failure();
    if (carried.size() != result.types.size())
      return parser.emitError(at, "expected a type for each carried value");
    for (auto [argument, type] : llvm::zip_equal(carried, result.types))
      argument.type = type;
    llvm::append_range(arguments, carried);
  }
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.resolveOperands(extents, index, result.operands) ||
      parser.resolveOperands(group, index, result.operands) ||
      parser.resolveOperands(inits, result.types, at, result.operands) ||
      parser.parseRegion(*body, arguments))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      static_cast<int32_t>(extents.size()), static_cast<int32_t>(group.size()),
      static_cast<int32_t>(inits.size())};
  ensureTerminator(*body, b, result.location);
  return success();
}

void WorkLoopOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getPoint(), printer,
                        [&](Value iv) { printer.printOperand(iv); });
  printer << ") in (" << getExtents() << ")";
  if (!getDescending().empty()) {
    printer << " descending ";
    getDescendingAttr().print(printer);
  }
  if (getGroup())
    printer << " group " << getGroup();
  if (isPersistent())
    printer << " schedule " << stringifyWorkSchedule(getSchedule());
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(llvm::zip_equal(getRegionIterArgs(), getInits()),
                          printer, [&](auto pair) {
                            printer << std::get<0>(pair) << " = "
                                    << std::get<1>(pair);
                          });
    printer << ") -> (" << getResultTypes() << ")";
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getDescendingAttrName(), getScheduleAttrName(),
                            getOperandSegmentSizesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

LogicalResult WorkLoopOp::verify() {
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : getDescending())
    if (dim < 0 || dim >= static_cast<int64_t>(getExtents().size()) ||
        !seen.insert(dim).second)
      return emitOpError("'descending' expected dimensions from 0 to ")
             << getExtents().size() - 1 << ", each once, got " << dim;
  if (getGroup() && getExtents().size() < 2)
    return emitOpError("'group' expected at least 2 dimensions, got ")
           << getExtents().size();
  return success();
}

LogicalResult WorkLoopOp::verifyRegions() {
  Block &body = getBody().front();
  size_t points = getExtents().size();
  // The rest of C4 is that of all loops.
  if (body.getNumArguments() != points + getInits().size() ||
      !llvm::all_of(ValueRange(getPoint()).getTypes(),
                    llvm::IsaPred<IndexType>))
    return emitOpError("expected ")
           << points << " induction variables of type index, and "
           << getInits().size() << " carried values";
  size_t yielded = body.getTerminator()->getNumOperands();
  if (yielded != getInits().size())
    return emitOpError("carries ")
           << getInits().size() << " values, but yields " << yielded;
  return success();
}

SmallVector<Region *> WorkLoopOp::getLoopRegions() { return {&getBody()}; }

Block::BlockArgListType WorkLoopOp::getRegionIterArgs() {
  // There may be too few before it is verified.
  auto arguments = getBody().getArguments();
  return arguments.take_back(std::min(arguments.size(), getInits().size()));
}

std::optional<MutableArrayRef<OpOperand>>
WorkLoopOp::getYieldedValuesMutable() {
  return cast<YieldOp>(getBody().front().getTerminator()).getOperandsMutable();
}

std::optional<ResultRange> WorkLoopOp::getLoopResults() { return getResults(); }

FailureOr<LoopLikeOpInterface> WorkLoopOp::replaceWithAdditionalYields(
    RewriterBase &rewriter, ValueRange newInitOperands,
    bool replaceInitOperandUsesInLoop,
    const NewYieldValuesFn &newYieldValuesFn) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(*this);
  SmallVector<Value> inits(getInits());
  llvm::append_range(inits, newInitOperands);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto longer =
      WorkLoopOp::create(rewriter, getLoc(), types, getExtents(), getGroup(),
                         inits, getDescending(), getSchedule());
  Region &region = longer.getBody();
  rewriter.inlineRegionBefore(getBody(), region, region.end());
  Block &body = region.front();
  size_t old = body.getNumArguments();
  for (Value init : newInitOperands)
    body.addArgument(init.getType(), init.getLoc());
  auto yield = cast<YieldOp>(body.getTerminator());
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> yielded =
      newYieldValuesFn(rewriter, getLoc(), body.getArguments().drop_front(old));
  rewriter.modifyOpInPlace(yield,
                           [&] { yield.getOperandsMutable().append(yielded); });
  if (replaceInitOperandUsesInLoop)
    for (auto [init, argument] :
         llvm::zip_equal(newInitOperands, body.getArguments().drop_front(old)))
      rewriter.replaceUsesWithIf(init, argument, [&](OpOperand &use) {
        return longer->isProperAncestor(use.getOwner());
      });
  rewriter.replaceOp(*this, longer.getResults().take_front(getNumResults()));
  return cast<LoopLikeOpInterface>(longer.getOperation());
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<MemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input,
                           SideEffects::DefaultResource::get());
  for (OpOperand &output : getOutputsMutable())
    if (isa<MemRefType>(output.get().getType()))
      effects.emplace_back(MemoryEffects::Write::get(), &output,
                           SideEffects::DefaultResource::get());
}

/// C3.
static LogicalResult verifyParameters(LaunchOp launch, ImageOp image) {
  SmallVector<Type> given(launch.getInputs().getTypes());
  llvm::append_range(given, launch.getOutputs().getTypes());
  LogicalResult valid = success();
  unsigned next = 0;
  for (Attribute attr : image.getParameters()) {
    unsigned index = next++;
    // The image is verified, but perhaps not yet.
    auto entry = dyn_cast<DictionaryAttr>(attr);
    if (!entry)
      continue;
    auto fail = [&]() {
      valid = failure();
      return launch.emitOpError("parameter ")
             << index << " of " << launch.getKernelAttr();
    };
    auto argument = entry.getAs<IntegerAttr>("argument");
    auto kind = entry.getAs<StringAttr>("kind");
    if (!argument || !kind)
      continue;
    if (argument.getInt() < 0 ||
        argument.getInt() >= static_cast<int64_t>(given.size())) {
      fail() << " is made of argument " << argument.getInt() << ", got "
             << given.size() << " in all";
      continue;
    }
    Type type = given[argument.getInt()];
    auto shaped = dyn_cast<ShapedType>(type);
    bool isScalar = kind == "scalar";
    if (isScalar != !shaped) {
      fail() << " expected argument " << argument.getInt() << " to be a "
             << (isScalar ? "scalar" : "tensor") << ", got " << type;
      continue;
    }
    for (StringRef name : {"dimension", "row_dimension"})
      if (auto dim = entry.getAs<IntegerAttr>(name);
          dim && shaped &&
          (!shaped.hasRank() || dim.getInt() >= shaped.getRank()))
        fail() << " expected argument " << argument.getInt()
               << " to have a dimension " << dim.getInt() << ", got " << type;
  }
  return valid;
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (auto image = dyn_cast_or_null<ImageOp>(symbol))
    return verifyParameters(*this, image);
  auto kernel = dyn_cast_or_null<KernelOp>(symbol);
  if (!kernel)
    return emitOpError("no kernel ") << getKernelAttr();
  SmallVector<Type> given(getInputs().getTypes());
  llvm::append_range(given, getOutputs().getTypes());
  ArrayRef<Type> wanted = kernel.getArgumentTypes();
  if (given.size() != wanted.size())
    return emitOpError("expected ")
           << wanted.size() << " arguments of " << getKernelAttr() << ", got "
           << given.size();
  LogicalResult valid = success();
  for (auto [index, types] : llvm::enumerate(llvm::zip_equal(given, wanted))) {
    auto [type, expected] = types;
    auto shaped = dyn_cast<ShapedType>(type);
    auto memref = dyn_cast<MemRefType>(expected);
    bool fits = shaped && memref
                    ? shaped.hasRank() &&
                          shaped.getShape() == memref.getShape() &&
                          shaped.getElementType() == memref.getElementType()
                    : type == expected;
    if (!fits)
      valid = emitOpError("argument ")
              << index << " expected " << expected << ", got " << type;
  }
  return valid;
}

//===----------------------------------------------------------------------===//
// ImageOp
//===----------------------------------------------------------------------===//

SmallVector<StringRef> ImageOp::getLosses() {
  SmallVector<StringRef> texts;
  if (std::optional<DictionaryAttr> said = getAssembly())
    if (auto losses = said->getAs<ArrayAttr>("losses"))
      for (auto loss : losses.getAsRange<StringAttr>())
        texts.push_back(loss);
  return texts;
}

int64_t ImageOp::getCapability() {
  int64_t capability = 0;
  StringRef digits = getChip();
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, capability))
    return 0;
  return capability;
}

/// What an entry of `parameters` needs, by its kind: names of integers.
static std::optional<SmallVector<StringRef>> getParameterKeys(StringRef kind) {
  if (kind == "pointer" || kind == "scalar")
    return SmallVector<StringRef>{"argument"};
  if (kind == "counter")
    return SmallVector<StringRef>{};
  if (kind == "extent" || kind == "stride")
    return SmallVector<StringRef>{"argument", "dimension"};
  if (kind == "tile_map")
    return SmallVector<StringRef>{"argument", "rows", "columns",
                                  "row_dimension", "swizzle"};
  return std::nullopt;
}

LogicalResult ImageOp::verify() {
  LogicalResult valid = success();
  unsigned next = 0;
  for (Attribute attr : getParameters()) {
    unsigned index = next++;
    auto fail = [&]() {
      valid = failure();
      return emitOpError("'parameters' entry ") << index << ": ";
    };
    auto entry = dyn_cast<DictionaryAttr>(attr);
    if (!entry) {
      fail() << "expected a dictionary, got " << attr;
      continue;
    }
    auto expectInteger = [&](StringRef name, int64_t least) {
      Attribute value = entry.get(name);
      auto integer = dyn_cast_or_null<IntegerAttr>(value);
      if (integer && integer.getInt() >= least)
        return;
      InFlightDiagnostic diag = fail();
      diag << "'" << name << "' expected an integer from " << least << ", got ";
      if (value)
        diag << value;
      else
        diag << "none";
    };
    auto kind = entry.getAs<StringAttr>("kind");
    auto keys = getParameterKeys(kind ? kind.getValue() : StringRef());
    if (!keys) {
      InFlightDiagnostic diag = fail();
      diag << "'kind' expected pointer, extent, stride, scalar, tile_map, "
              "counter, got ";
      if (Attribute value = entry.get("kind"))
        diag << value;
      else
        diag << "none";
      continue;
    }
    for (StringRef name : *keys)
      expectInteger(name, name == "rows" || name == "columns" ? 1 : 0);
  }
  if (getThreads() < 1 || getThreads() > 1024)
    valid = emitOpError("'threads' expected 1 to 1024, got ") << getThreads();
  if (getCluster() < 1 || getCluster() > 8)
    valid = emitOpError("'cluster' expected 1 to 8, got ") << getCluster();
  if (getShared() < 0)
    valid = emitOpError("'shared' expected 0 or more bytes, got ")
            << getShared();
  if (getCapability() <= 0)
    valid = emitOpError("'chip' expected a name such as sm_90a, got ")
            << getChipAttr();
  return valid;
}
