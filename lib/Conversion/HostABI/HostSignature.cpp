//===- HostSignature.cpp - How a compiled function is called --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute form of a signature, and how types are passed.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/HostSignature.h"

#include "attn-rt/Cpu.h"
#include "attn-rt/Tensor.h"
#include "attn/Conversion/HostABI/CNames.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::attn;

std::optional<HostElementType> attn::getHostElementType(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    uint8_t bits = floatType.getWidth();
    if (type.isBF16())
      return HostElementType{ATTN_RT_TYPE_BFLOAT, bits};
    if (isa<Float16Type, Float32Type, Float64Type>(type))
      return HostElementType{ATTN_RT_TYPE_FLOAT, bits};
    return std::nullopt;
  }
  auto intType = dyn_cast<IntegerType>(type);
  if (!intType)
    return std::nullopt;
  unsigned bits = intType.getWidth();
  if (bits == 1 && intType.isSignless())
    return HostElementType{ATTN_RT_TYPE_BOOL, 8};
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return std::nullopt;
  uint8_t code = intType.isUnsigned() ? ATTN_RT_TYPE_UINT : ATTN_RT_TYPE_INT;
  return HostElementType{code, static_cast<uint8_t>(bits)};
}

StringRef attn::getHostScalarType(Type type) {
  if (type.isIndex() || type.isSignlessInteger(64))
    return "int64_t";
  if (type.isSignlessInteger(32))
    return "int32_t";
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  return "";
}

unsigned HostSignature::getNumTensors() const {
  return llvm::count_if(args, [](const HostArgument &a) { return a.isTensor; });
}

unsigned HostSignature::getTensorIndex(unsigned arg) const {
  return llvm::count_if(ArrayRef(args).take_front(arg),
                        [](const HostArgument &a) { return a.isTensor; });
}

DictionaryAttr HostSignature::toAttr(MLIRContext *context) const {
  Builder b(context);
  auto entry = [&](StringRef name, Attribute value) {
    return b.getNamedAttr(name, value);
  };
  SmallVector<Attribute> argAttrs, relationAttrs, featureAttrs;
  for (const HostArgument &arg : args) {
    SmallVector<NamedAttribute> fields = {
        entry("name", b.getStringAttr(arg.name)),
        entry(arg.isTensor ? "element" : "scalar", TypeAttr::get(arg.type))};
    if (arg.isTensor) {
      SmallVector<Attribute> dims;
      for (int64_t dim : arg.dims)
        dims.push_back(dim >= 0
                           ? Attribute(b.getI64IntegerAttr(dim))
                           : Attribute(b.getStringAttr(symbols[-1 - dim])));
      fields.push_back(entry("dims", b.getArrayAttr(dims)));
    }
    if (arg.isOutput)
      fields.push_back(entry("output", b.getUnitAttr()));
    argAttrs.push_back(b.getDictionaryAttr(fields));
  }
  for (const HostRelation &r : relations) {
    bool isMultiple = r.kind == HostRelation::Kind::Multiple;
    SmallVector<NamedAttribute> fields = {
        entry("kind", b.getStringAttr(isMultiple ? "multiple" : "offset")),
        entry("lhs", b.getDenseI64ArrayAttr({r.lhsArg, r.lhsDim})),
        entry("rhs", b.getDenseI64ArrayAttr({r.rhsArg, r.rhsDim}))};
    if (!isMultiple)
      fields.push_back(entry("offset", b.getI64IntegerAttr(r.offset)));
    relationAttrs.push_back(b.getDictionaryAttr(fields));
  }
  for (unsigned bit = 0; bit < 64; ++bit)
    if ((cpuFeatures >> bit) & 1)
      featureAttrs.push_back(
          b.getStringAttr(attn_rt_cpu_feature_name(uint64_t(1) << bit)));
  SmallVector<NamedAttribute> fields = {
      entry("symbol", b.getStringAttr(symbol)),
      entry("args", b.getArrayAttr(argAttrs))};
  if (!relationAttrs.empty())
    fields.push_back(entry("relations", b.getArrayAttr(relationAttrs)));
  if (!featureAttrs.empty())
    fields.push_back(entry("cpu_features", b.getArrayAttr(featureAttrs)));
  if (device == Device::CUDA)
    fields.push_back(entry("device", b.getStringAttr("cuda")));
  return b.getDictionaryAttr(fields);
}

namespace {

/// Reads the attribute form; the first thing that is wrong becomes `problem`.
class Reader {
public:
  FailureOr<HostSignature> read(DictionaryAttr attr);
  std::string problem;

private:
  LogicalResult fail(const Twine &text) {
    problem = text.str();
    return failure();
  }
  LogicalResult readArgument(DictionaryAttr attr, HostSignature &signature);
  LogicalResult readRelation(DictionaryAttr attr, HostSignature &signature);
  LogicalResult readExtent(DictionaryAttr attr, StringRef field,
                           const HostSignature &signature, unsigned &arg,
                           unsigned &dim);
};

} // namespace

LogicalResult Reader::readArgument(DictionaryAttr attr,
                                   HostSignature &signature) {
  HostArgument arg;
  if (!attr)
    return fail("expected 'args' to be dictionaries");
  auto name = attr.getAs<StringAttr>("name");
  auto element = attr.getAs<TypeAttr>("element");
  auto scalar = attr.getAs<TypeAttr>("scalar");
  if (!name || !element == !scalar)
    return fail("expected each argument to have a 'name' and either 'element' "
                "or 'scalar'");
  arg.name = name.str();
  if (!isCIdentifier(arg.name))
    return fail("argument name '" + arg.name + "' is not an identifier in C");
  arg.isTensor = static_cast<bool>(element);
  arg.isOutput = static_cast<bool>(attr.get("output"));
  arg.type = element ? element.getValue() : scalar.getValue();
  bool passable = arg.isTensor ? getHostElementType(arg.type).has_value()
                               : !getHostScalarType(arg.type).empty();
  if (!passable)
    return fail("argument '" + arg.name + "' has a type that cannot be passed");
  if (arg.isTensor) {
    auto dims = attr.getAs<ArrayAttr>("dims");
    if (!dims)
      return fail("expected argument '" + arg.name + "' to have 'dims'");
    for (Attribute dim : dims) {
      if (auto constant = dyn_cast<IntegerAttr>(dim)) {
        if (constant.getValue().isNegative())
          return fail("argument '" + arg.name + "' has a negative extent");
        arg.dims.push_back(constant.getInt());
        continue;
      }
      auto symbolAttr = dyn_cast<StringAttr>(dim);
      if (!symbolAttr)
        return fail("expected 'dims' of argument '" + arg.name +
                    "' to be numbers and names");
      if (!isCIdentifier(symbolAttr))
        return fail("extent name '" + symbolAttr.getValue() +
                    "' of argument '" + arg.name +
                    "' is not an identifier in C");
      auto *it = llvm::find(signature.symbols, symbolAttr.getValue());
      arg.dims.push_back(-1 - (it - signature.symbols.begin()));
      if (it == signature.symbols.end())
        signature.symbols.push_back(symbolAttr.str());
    }
  }
  signature.args.push_back(std::move(arg));
  return success();
}

LogicalResult Reader::readExtent(DictionaryAttr attr, StringRef field,
                                 const HostSignature &signature, unsigned &arg,
                                 unsigned &dim) {
  auto place = attr.getAs<DenseI64ArrayAttr>(field);
  if (!place || place.size() != 2 || place[0] < 0 || place[1] < 0 ||
      place[0] >= static_cast<int64_t>(signature.args.size()) ||
      place[1] >= static_cast<int64_t>(signature.args[place[0]].dims.size()))
    return fail("expected '" + field +
                "' of a relation to name an argument and its dimension");
  arg = place[0];
  dim = place[1];
  return success();
}

LogicalResult Reader::readRelation(DictionaryAttr attr,
                                   HostSignature &signature) {
  HostRelation relation;
  auto kind = attr ? attr.getAs<StringAttr>("kind") : StringAttr();
  if (!kind || (kind != "multiple" && kind != "offset"))
    return fail("expected a relation of kind 'multiple' or 'offset'");
  if (kind == "offset") {
    relation.kind = HostRelation::Kind::Offset;
    auto offset = attr.getAs<IntegerAttr>("offset");
    if (!offset || !llvm::isInt<32>(offset.getInt()))
      return fail("expected a relation of kind 'offset' to have an 'offset' of "
                  "32 bits");
    relation.offset = offset.getInt();
  }
  if (failed(readExtent(attr, "lhs", signature, relation.lhsArg,
                        relation.lhsDim)) ||
      failed(
          readExtent(attr, "rhs", signature, relation.rhsArg, relation.rhsDim)))
    return failure();
  signature.relations.push_back(relation);
  return success();
}

FailureOr<HostSignature> Reader::read(DictionaryAttr attr) {
  HostSignature signature;
  auto symbol = attr ? attr.getAs<StringAttr>("symbol") : StringAttr();
  auto args = attr ? attr.getAs<ArrayAttr>("args") : ArrayAttr();
  if (!symbol || !args)
    return fail("expected a dictionary with 'symbol' and 'args'");
  signature.symbol = symbol.str();
  if (std::string why = explainBadFunctionName(symbol); !why.empty())
    return fail("symbol '" + signature.symbol + "' " + why);
  for (Attribute arg : args)
    if (failed(readArgument(dyn_cast<DictionaryAttr>(arg), signature)))
      return failure();
  if (auto relations = attr.getAs<ArrayAttr>("relations"))
    for (Attribute relation : relations)
      if (failed(readRelation(dyn_cast<DictionaryAttr>(relation), signature)))
        return failure();
  if (auto features = attr.getAs<ArrayAttr>("cpu_features"))
    for (Attribute feature : features) {
      auto name = dyn_cast<StringAttr>(feature);
      uint64_t bit = name ? attn_rt_cpu_feature_bit(name.str().c_str()) : 0;
      if (!bit)
        return fail("expected 'cpu_features' to be names that the runtime "
                    "knows");
      signature.cpuFeatures |= bit;
    }
  if (auto device = attr.getAs<StringAttr>("device")) {
    if (device != "cuda")
      return fail("expected 'device' to be \"cuda\", got \"" +
                  device.getValue() + "\"");
    signature.device = HostSignature::Device::CUDA;
  }
  return signature;
}

FailureOr<HostSignature> HostSignature::get(Operation *op) {
  Reader reader;
  FailureOr<HostSignature> signature =
      reader.read(op->getAttrOfType<DictionaryAttr>(kAttrName));
  if (failed(signature))
    return op->emitOpError("attribute '")
           << kAttrName << "' is malformed: " << reader.problem;
  return signature;
}
