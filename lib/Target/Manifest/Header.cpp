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

/// Words that cannot be names in C99 or C++17.
static bool isKeyword(StringRef word) {
  static const llvm::StringSet<> words = {
      "alignas",      "alignof",  "and",           "and_eq",
      "asm",          "auto",     "bitand",        "bitor",
      "bool",         "break",    "case",          "catch",
      "char",         "char16_t", "char32_t",      "class",
      "compl",        "const",    "const_cast",    "constexpr",
      "continue",     "decltype", "default",       "delete",
      "do",           "double",   "dynamic_cast",  "else",
      "enum",         "explicit", "export",        "extern",
      "false",        "float",    "for",           "friend",
      "goto",         "if",       "inline",        "int",
      "long",         "mutable",  "namespace",     "new",
      "noexcept",     "not",      "not_eq",        "nullptr",
      "operator",     "or",       "or_eq",         "private",
      "protected",    "public",   "register",      "reinterpret_cast",
      "restrict",     "return",   "short",         "signed",
      "sizeof",       "static",   "static_assert", "static_cast",
      "struct",       "switch",   "template",      "this",
      "thread_local", "throw",    "true",          "try",
      "typedef",      "typeid",   "typename",      "union",
      "unsigned",     "using",    "virtual",       "void",
      "volatile",     "wchar_t",  "while",         "xor",
      "xor_eq"};
  return words.contains(word);
}

static bool isIdentifier(StringRef name) {
  auto isWordChar = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, isWordChar) && !isKeyword(name);
}

/// Parameter names are free: any name that C takes and that is not `used`.
static std::string makeIdentifier(StringRef name, llvm::StringSet<> &used) {
  std::string base;
  for (char c : name)
    base += llvm::isAlnum(c) ? c : '_';
  if (base.empty() || llvm::isDigit(base.front()))
    base = "_" + base;
  if (isKeyword(base))
    base += "_";
  std::string result = base;
  for (unsigned n = 1; !used.insert(result).second; ++n)
    result = base + "_" + std::to_string(n);
  return result;
}

static void printFunction(const HostSignature &signature, raw_ostream &os) {
  llvm::StringSet<> used;
  std::string parameters;
  os << "\n/*";
  for (auto [n, arg] : llvm::enumerate(signature.args)) {
    std::string name = makeIdentifier(arg.name, used);
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
  os << "/\nAttnRtStatus " << signature.symbol << "("
     << (parameters.empty() ? "void" : parameters) << ");\n";
}

LogicalResult attn::emitHeader(ModuleOp module, raw_ostream &os) {
  FailureOr<std::vector<FunctionSignature>> functions =
      collectSignatures(module);
  if (failed(functions))
    return failure();
  bool anyFailed = false;
  for (const FunctionSignature &function : *functions)
    if (!isIdentifier(function.signature.symbol)) {
      function.op->emitOpError("expected a name that is an identifier in C, "
                               "got '")
          << function.signature.symbol << "'";
      anyFailed = true;
    }
  if (anyFailed)
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
