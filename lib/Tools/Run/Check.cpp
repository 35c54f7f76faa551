//===- Check.cpp - Results against the reference --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks result, reference and plain result together.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Check.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace mlir::attn::run;

static std::string formatIndex(llvm::ArrayRef<int64_t> index) {
  std::string text = "[";
  for (size_t n = 0; n < index.size(); ++n)
    text += (n ? "," : "") + std::to_string(index[n]);
  return text + "]";
}

static std::string formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return text;
}

/// `value` as an element of `type` would hold it.
static double roundTo(ElementType type, double value) {
  std::byte storage[8];
  store(type, storage, value);
  return load(type, storage);
}

namespace {
/// Collects one comparison, element by element.
class Comparator {
public:
  Comparator(const HostTensor &out, Rule rule) : out(out), rule(rule) {}

  /// Takes the element at `index`, where the reference is `reference`.
  void add(llvm::ArrayRef<int64_t> index, std::byte *address,
           double reference) {
    double value = load(out.getType(), address);
    if (std::isfinite(reference))
      result.scale = std::max(result.scale, std::fabs(reference));
    if (isFloat(out.getType()) && out.isPoison(address)) {
      if (!result.unwritten++)
        firstUnwritten = formatIndex(index);
      return;
    }
    double rounded = roundTo(out.getType(), reference);
    if (!std::isfinite(value) || !std::isfinite(rounded)) {
      bool same = std::isnan(value) ? std::isnan(rounded) : value == rounded;
      if (!same && !result.misplaced++)
        firstMisplaced = formatIndex(index) + " expected " +
                         formatNumber(rounded) + ", got " + formatNumber(value);
      return;
    }
    double error = std::fabs(value - reference);
    if (rule == Rule::LogSumExp)
      error /= std::max(1.0, std::fabs(reference));
    // The first element counts even if it is exact, so that `worst` is set.
    if (error > result.error || result.worst.empty()) {
      result.error = error;
      result.worst.assign(index.begin(), index.end());
      result.worstValue = value;
      result.worstReference = reference;
    }
  }

  Comparison finish(double bound) {
    result.bound = bound;
    if (!(result.error <= bound))
      result.reasons.push_back(
          "error " + formatNumber(result.error) + " exceeds the bound " +
          formatNumber(bound) + ": at " + formatIndex(result.worst) +
          " expected " + formatNumber(result.worstReference) + ", got " +
          formatNumber(result.worstValue));
    if (result.misplaced)
      result.reasons.push_back(std::to_string(result.misplaced) +
                               " elements differ in NaN or infinity: first " +
                               firstMisplaced);
    if (result.unwritten)
      result.reasons.push_back(
          std::to_string(result.unwritten) +
          " elements hold the poison of unused memory, so were never written "
          "or come from outside the inputs: first " +
          firstUnwritten);
    result.passed = result.reasons.empty();
    return std::move(result);
  }

  double getScale() const { return result.scale; }

private:
  const HostTensor &out;
  Rule rule;
  Comparison result;
  std::string firstMisplaced, firstUnwritten;
};
} // namespace

Comparison mlir::attn::run::compareValues(const HostTensor &out,
                                          const HostTensor &reference,
                                          const HostTensor &plain) {
  assert(out.getShape() == reference.getShape() &&
         out.getShape() == plain.getShape() && "shapes must agree");
  Comparator comparator(out, Rule::Value);
  double plainError = 0;
  out.forEach([&](llvm::ArrayRef<int64_t> index, std::byte *address) {
    double expected = reference.get(index);
    comparator.add(index, address, expected);
    double difference = std::fabs(plain.get(index) - expected);
    if (std::isfinite(difference))
      plainError = std::max(plainError, difference);
  });
  double unit =
      isFloat(out.getType()) ? ulp(out.getType(), comparator.getScale()) : 0.0;
  Comparison result = comparator.finish(2 * plainError + 2 * unit);
  result.plainError = plainError;
  return result;
}

Comparison mlir::attn::run::compareLogSumExp(const HostTensor &out,
                                             const HostTensor &reference) {
  assert(out.getShape() == reference.getShape() && "shapes must agree");
  Comparator comparator(out, Rule::LogSumExp);
  out.forEach([&](llvm::ArrayRef<int64_t> index, std::byte *address) {
    comparator.add(index, address, reference.get(index));
  });
  return comparator.finish(std::ldexp(1.0, -16));
}
