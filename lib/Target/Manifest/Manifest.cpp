//===- Manifest.cpp - The JSON manifest of a module -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the schema of docs/Manifest.md.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/Manifest/Manifest.h"

#include "Signatures.h"
#include "attn-rt/Arguments.h"
#include "attn-rt/Cpu.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::attn;

// Keeps keys in the order in which they are written here.
using Json = nlohmann::ordered_json;

FailureOr<std::vector<FunctionSignature>>
attn::collectSignatures(ModuleOp module) {
  std::vector<FunctionSignature> result;
  bool anyFailed = false;
  for (Operation &op : module.getOps()) {
    if (!op.hasAttr(HostSignature::kAttrName))
      continue;
    FailureOr<HostSignature> signature = HostSignature::get(&op);
    anyFailed |= failed(signature);
    if (succeeded(signature))
      result.push_back({&op, std::move(*signature)});
  }
  if (anyFailed)
    return failure();
  return result;
}

std::string attn::getTypeName(Type type) {
  if (type.isIndex())
    return "i64";
  if (type.isInteger(1))
    return "bool";
  if (type.isUnsignedInteger())
    return "u" + std::to_string(type.getIntOrFloatBitWidth());
  if (isa<IntegerType>(type))
    return "i" + std::to_string(type.getIntOrFloatBitWidth());
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static Json describe(const HostArgument &arg, const HostSignature &signature) {
  Json json = {{"name", arg.name},
               {"kind", arg.isTensor ? "tensor" : "scalar"},
               {"type", getTypeName(arg.type)}};
  if (!arg.isTensor)
    return json;
  json["shape"] = Json::array();
  for (int64_t dim : arg.dims)
    json["shape"].push_back(dim >= 0 ? Json(dim)
                                     : Json(signature.symbols[-1 - dim]));
  json["output"] = arg.isOutput;
  return json;
}

static Json describe(const HostRelation &r, const HostSignature &signature) {
  auto extent = [&](unsigned arg, unsigned dim) {
    return Json{{"argument", signature.args[arg].name}, {"dim", dim}};
  };
  bool isMultiple = r.kind == HostRelation::Kind::Multiple;
  Json json = {{"kind", isMultiple ? "multiple" : "offset"},
               {"lhs", extent(r.lhsArg, r.lhsDim)},
               {"rhs", extent(r.rhsArg, r.rhsDim)}};
  if (!isMultiple)
    json["offset"] = r.offset;
  return json;
}

static Json describe(const HostSignature &signature) {
  Json json = {{"symbol", signature.symbol},
               {"arguments", Json::array()},
               {"relations", Json::array()},
               {"cpu_features", Json::array()},
               {"device", signature.device == HostSignature::Device::CUDA
                              ? "cuda"
                              : "cpu"}};
  for (const HostArgument &arg : signature.args)
    json["arguments"].push_back(describe(arg, signature));
  for (const HostRelation &relation : signature.relations)
    json["relations"].push_back(describe(relation, signature));
  for (unsigned bit = 0; bit < 64; ++bit)
    if ((signature.cpuFeatures >> bit) & 1)
      json["cpu_features"].push_back(
          attn_rt_cpu_feature_name(uint64_t(1) << bit));
  return json;
}

/// An attribute of a kernel as JSON; what JSON has no word for as text.
static Json describe(Attribute attr) {
  return llvm::TypeSwitch<Attribute, Json>(attr)
      .Case([](BoolAttr flag) { return Json(flag.getValue()); })
      .Case([](IntegerAttr number) { return Json(number.getInt()); })
      .Case([](StringAttr text) { return Json(text.getValue().str()); })
      .Case([](UnitAttr) { return Json(true); })
      .Case([](ArrayAttr list) {
        Json json = Json::array();
        for (Attribute element : list)
          json.push_back(describe(element));
        return json;
      })
      .Case([](DictionaryAttr entries) {
        Json json = Json::object();
        for (NamedAttribute entry : entries)
          json[entry.getName().str()] = describe(entry.getValue());
        return json;
      })
      .Default([](Attribute other) {
        std::string text;
        llvm::raw_string_ostream(text) << other;
        return Json(text);
      });
}

/// The kernels that the function called `symbol` launches.
static Json describeKernels(ModuleOp module, StringRef symbol) {
  Json json = Json::array();
  if (auto kernels = module->getAttrOfType<ArrayAttr>(kKernelsAttrName))
    for (auto kernel : kernels.getAsRange<DictionaryAttr>()) {
      auto function = kernel.getAs<StringAttr>("function");
      if (!function || function.getValue() != symbol)
        continue;
      Json entry = describe(Attribute(kernel));
      entry.erase("function");
      json.push_back(std::move(entry));
    }
  return json;
}

LogicalResult attn::emitManifest(ModuleOp module, raw_ostream &os) {
  FailureOr<std::vector<FunctionSignature>> functions =
      collectSignatures(module);
  if (failed(functions))
    return failure();
  Json json = {{"format", "attn-manifest"},
               {"version", 1},
               {"abi_version", ATTN_RT_ABI_VERSION},
               {"functions", Json::array()}};
  for (const FunctionSignature &function : *functions) {
    json["functions"].push_back(describe(function.signature));
    if (Json kernels = describeKernels(module, function.signature.symbol);
        !kernels.empty())
      json["functions"].back()["kernels"] = std::move(kernels);
  }
  // Names may hold any bytes: replace what is not UTF-8 instead of throwing.
  os << json.dump(2, ' ', /*ensure_ascii=*/false,
                  Json::error_handler_t::replace)
     << "\n";
  return success();
}
