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
  int64_t warpgroups;
  Builder &b = parser.getBuilder();
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs) ||
      parser.parseKeyword("warpgroups") || parser.parseInteger(warpgroups) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<Type> types;
  for (const OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(b.getFunctionType(types, resultTypes)));
  result.addAttribute(getWarpgroupsAttrName(result.name),
                      b.getI64IntegerAttr(warpgroups));
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
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getWarpgroupsAttrName(),
       getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("expected no results, got ") << getResultTypes().size();
  if (getWarpgroups() < 1 || getWarpgroups() > 8)
    return emitOpError("expected 1 to 8 warpgroups, got ") << getWarpgroups();
  if (getBody().front().empty() || !isa<ReturnOp>(getBody().front().back()))
    return emitOpError("expected its body to end in 'attn_gpu.return'");
  LogicalResult valid = success();
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
  return valid;
}

//===----------------------------------------------------------------------===//
// WorkLoopOp
//===----------------------------------------------------------------------===//

ParseResult WorkLoopOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> ivs;
  SmallVector<OpAsmParser::UnresolvedOperand> extents;
  DenseI64ArrayAttr descending = b.getDenseI64ArrayAttr({});
  if (parser.parseArgumentList(ivs, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("in") ||
      parser.parseOperandList(extents, OpAsmParser::Delimiter::Paren))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("descending"))) {
    Attribute attr = DenseI64ArrayAttr::parse(parser, {});
    if (!attr)
      return failure();
    descending = cast<DenseI64ArrayAttr>(attr);
  }
  result.addAttribute(getDescendingAttrName(result.name), descending);
  for (OpAsmParser::Argument &iv : ivs)
    iv.type = b.getIndexType();
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.resolveOperands(extents, b.getIndexType(), result.operands) ||
      parser.parseRegion(*body, ivs))
    return failure();
  ensureTerminator(*body, b, result.location);
  return success();
}

void WorkLoopOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer,
                        [&](Value iv) { printer.printOperand(iv); });
  printer << ") in (" << getExtents() << ")";
  if (!getDescending().empty()) {
    printer << " descending ";
    getDescendingAttr().print(printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getDescendingAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

LogicalResult WorkLoopOp::verify() {
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : getDescending())
    if (dim < 0 || dim >= static_cast<int64_t>(getExtents().size()) ||
        !seen.insert(dim).second)
      return emitOpError("'descending' expected dimensions from 0 to ")
             << getExtents().size() - 1 << ", each once, got " << dim;
  return success();
}

LogicalResult WorkLoopOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getExtents().size() ||
      !llvm::all_of(body.getArgumentTypes(), llvm::IsaPred<IndexType>))
    return emitOpError("expected ")
           << getExtents().size() << " induction variables of type index";
  return success();
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

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (isa_and_present<ImageOp>(symbol))
    return success();
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
