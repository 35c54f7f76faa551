//===- Shapes.cpp - Values of a function's extents -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves the extents of a signature from what the user says of them.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn::run;

namespace {
/// Gathers values and contradictions.
class Resolver {
public:
  explicit Resolver(const Signature &signature)
      : signature(signature), values(signature.symbols.size()),
        sources(signature.symbols.size()) {}

  void read(StringRef spec) {
    auto [name, value] = spec.split('=');
    if (name.size() != spec.size())
      return readSymbol(name.trim(), value.trim());
    auto [argument, shape] = spec.split(':');
    if (argument.size() == spec.size())
      return fault("shape '" + spec +
                   "' expected NAME=EXTENT or ARGUMENT:1x2x3");
    readShape(argument.trim(), shape.trim(), spec);
  }

  llvm::Expected<std::vector<int64_t>> finish() {
    propagate();
    std::string missing;
    for (auto [n, value] : llvm::enumerate(values))
      if (!value)
        missing += (missing.empty() ? "" : ", ") + signature.symbols[n];
    if (!missing.empty())
      fault("function '" + signature.function +
            "' leaves these extents open: " + missing +
            "; give each, as in --shape=" + signature.symbols[firstOpen()] +
            "=64");
    if (!faults.empty())
      return llvm::createStringError(llvm::join(faults, "\n"));
    std::vector<int64_t> result;
    for (std::optional<int64_t> value : values)
      result.push_back(*value);
    return result;
  }

private:
  void fault(const Twine &text) { faults.push_back(text.str()); }

  size_t firstOpen() const {
    return llvm::find_if(values, [](auto &value) { return !value; }) -
           values.begin();
  }

  void set(unsigned symbol, int64_t value, const Twine &source) {
    if (value < 0)
      return fault(source + ": extent '" + signature.symbols[symbol] +
                   "' expected to be at least 0, got " + Twine(value));
    if (values[symbol] && *values[symbol] != value)
      return fault(source + ": extent '" + signature.symbols[symbol] +
                   "' expected " + Twine(*values[symbol]) + " as in " +
                   sources[symbol] + ", got " + Twine(value));
    if (values[symbol])
      return;
    values[symbol] = value;
    sources[symbol] = source.str();
  }

  /// Derives what the offsets between symbols determine.
  void propagate() {
    // Each pass over them sets a symbol or is the last.
    for (size_t n = 0; n <= values.size(); ++n)
      for (const SymbolOffset &relation : signature.offsets) {
        if (values[relation.rhs])
          set(relation.lhs, *values[relation.rhs] + relation.offset,
              sources[relation.rhs]);
        else if (values[relation.lhs])
          set(relation.rhs, *values[relation.lhs] - relation.offset,
              sources[relation.lhs]);
        if (!faults.empty())
          return;
      }
  }

  void readSymbol(StringRef name, StringRef text) {
    auto it = llvm::find(signature.symbols, name);
    if (it == signature.symbols.end())
      return fault("function '" + signature.function +
                   "' has no open extent '" + name + "'; it has " +
                   (signature.symbols.empty()
                        ? "none"
                        : llvm::join(signature.symbols, ", ")));
    int64_t value;
    if (text.getAsInteger(10, value))
      return fault("shape '" + name + "=" + text +
                   "' expected a number after '='");
    set(it - signature.symbols.begin(), value,
        "shape '" + name + "=" + text + "'");
  }

  void readShape(StringRef name, StringRef shape, StringRef spec) {
    const ArgumentInfo *argument = signature.findArgument(name);
    if (!argument) {
      auto names = llvm::map_range(
          signature.arguments, [](const ArgumentInfo &a) { return a.name; });
      return fault("function '" + signature.function + "' has no argument '" +
                   name + "'; it has " + llvm::join(names, ", "));
    }
    SmallVector<StringRef> parts;
    if (!shape.empty())
      shape.split(parts, 'x');
    if (parts.size() != argument->extents.size())
      return fault("shape '" + spec + "' expected " +
                   Twine(argument->extents.size()) + " extents, got " +
                   Twine(parts.size()));
    for (auto [part, extent] : llvm::zip_equal(parts, argument->extents)) {
      if (part == "?")
        continue;
      int64_t value;
      if (part.getAsInteger(10, value)) {
        fault("shape '" + spec + "' expected a number or '?', got '" + part +
              "'");
        continue;
      }
      if (extent < 0)
        set(-1 - extent, value, "shape '" + spec + "'");
      else if (extent != value)
        fault("shape '" + spec + "' expected extent " + Twine(extent) +
              " as in the function's type, got " + Twine(value));
    }
  }

  const Signature &signature;
  std::vector<std::optional<int64_t>> values;
  std::vector<std::string> sources;
  std::vector<std::string> faults;
};
} // namespace

llvm::Expected<std::vector<int64_t>>
Signature::resolve(ArrayRef<std::string> specs) const {
  Resolver resolver(*this);
  for (StringRef spec : specs)
    resolver.read(spec);
  return resolver.finish();
}
