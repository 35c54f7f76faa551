//===- Header.cpp - The C header of a module ------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints prototypes and, for people, shapes.
//
//===----------------------------------------------------------------------===//

#include "Signatures.h"
#include "attn/Target/Manifest/Manifest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

/// The name of a parameter: `name` unless another one has it.
static std::string makeUnique(StringRef name, llvm::StringSet<> &used) {
  std::string result = name.str();
  for (unsigned n = 1; !used.insert(result).second; ++n)
    result = name.str() + "_" + std::to_string(n);
  return result;
}

static void printFunction(const HostSignature &signature, raw_ostream &os) {
  llvm::StringSet<> used;
  std::string parameters;
  os << "\n/*";
  for (auto [n, arg] : llvm::enumerate(signature.args)) {
    std::string name = makeUnique(arg.name, used);
    if (n)
      parameters += ", ";
    if (!arg.isTensor) {
      parameters += getHostScalarType(arg.type).str() + " " + name;
      continue;
    }
    parameters += "const AttnRtTensor *" + name;
    os << " " << name << ": " << getTypeName(arg.type) << "[";
    llvm::interleaveComma(arg.dims, os, [&](int64_t dim) {
      if (dim >= 0)
        os << dim;
      else
        os << signature.symbols[-1 - dim];
    });
    os << "]" << (arg.isOutput ? ", written" : "") << "\n *";
  }
  for (const HostRelation &r : signature.relations) {
    auto extent = [&](unsigned arg, unsigned dim) {
      int64_t value = signature.args[arg].dims[dim];
      return value >= 0 ? std::to_string(value) : signature.symbols[-1 - value];
    };
    os << " " << extent(r.lhsArg, r.lhsDim);
    if (r.kind == HostRelation::Kind::Multiple)
      os << " is a multiple of " << extent(r.rhsArg, r.rhsDim);
    else
      os << " is " << extent(r.rhsArg, r.rhsDim)
         << (r.offset < 0 ? " - " : " + ") << std::abs(r.offset);
    os << "\n *";
  }
  if (signature.device == HostSignature::Device::CUDA) {
    parameters += parameters.empty() ? "" : ", ";
    parameters += "void *stream";
    os << " stream: a CUstream; tensors are on its device\n *";
  }
  os << "/\nAttnRtStatus " << signature.symbol << "("
     << (parameters.empty() ? "void" : parameters) << ");\n";
}

LogicalResult attn::emitHeader(ModuleOp module, raw_ostream &os) {
  FailureOr<std::vector<FunctionSignature>> functions =
      collectSignatures(module);
  if (failed(functions))
    return failure();
  os << "/* Made by attn-mlir. Each function returns ATTN_RT_OK or another\n"
     << " * AttnRtStatus, explained by attn_rt_last_error(). */\n\n"
     << "#include \"attn-rt/Status.h\"\n#include \"attn-rt/Tensor.h\"\n\n"
     << "#include <stdint.h>\n\nATTN_RT_EXTERN_C_BEGIN\n";
  for (const FunctionSignature &function : *functions)
    printFunction(function.signature, os);
  os << "\nATTN_RT_EXTERN_C_END\n";
  return success();
}
