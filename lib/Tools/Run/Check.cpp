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
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace mlir::attn::run;

static std::string formatIndex(llvm::ArrayRef<int64_t> index) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << '[';
  llvm::interleave(index, out, ",");
  out << ']';
  return text;
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
  Comparator(const HostTensor &out, Rule rule, double bound,
             const Allowances &allowances)
      : out(out), rule(rule), allowances(allowances) {
    result.bound = bound;
  }

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
      if (!std::isfinite(value) && allowances.nonFinite &&
          allowances.nonFinite(index)) {
        result.spread += std::isfinite(rounded);
        return;
      }
      bool same = std::isnan(value) ? std::isnan(rounded) : value == rounded;
      if (!same && !result.misplaced++)
        firstMisplaced = formatIndex(index) + " expected " +
                         formatNumber(rounded) + ", got " + formatNumber(value);
      return;
    }
    double error = std::fabs(value - reference);
    double unit =
        rule == Rule::LogSumExp ? std::max(1.0, std::fabs(reference)) : 1.0;
    error /= unit;
    if (error > result.bound && allowances.error &&
        error <= result.bound + allowances.error(index) / unit) {
      ++result.excused;
      return;
    }
    // The first element counts even if it is exact, so that `worst` is set.
    if (error > result.error || result.worst.empty()) {
      result.error = error;
      result.worst.assign(index.begin(), index.end());
      result.worstValue = value;
      result.worstReference = reference;
    }
  }

  Comparison finish() {
    double bound = result.bound;
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

private:
  const HostTensor &out;
  Rule rule;
  const Allowances &allowances;
  Comparison result;
  std::string firstMisplaced, firstUnwritten;
};
} // namespace

Comparison mlir::attn::run::compareValues(const HostTensor &out,
                                          const HostTensor &reference,
                                          const HostTensor &plain,
                                          const Allowances &allowances) {
  assert(out.getShape() == reference.getShape() &&
         out.getShape() == plain.getShape() && "shapes must agree");
  double plainError = 0, scale = 0;
  out.forEach([&](llvm::ArrayRef<int64_t> index, std::byte *) {
    double expected = reference.get(index);
    if (std::isfinite(expected))
      scale = std::max(scale, std::fabs(expected));
    double difference = std::fabs(plain.get(index) - expected);
    if (std::isfinite(difference))
      plainError = std::max(plainError, difference);
  });
  double unit = isFloat(out.getType()) ? ulp(out.getType(), scale) : 0.0;
  Comparator comparator(out, Rule::Value, 2 * plainError + 2 * unit,
                        allowances);
  out.forEach([&](llvm::ArrayRef<int64_t> index, std::byte *address) {
    comparator.add(index, address, reference.get(index));
  });
  Comparison result = comparator.finish();
  result.plainError = plainError;
  return result;
}

Comparison mlir::attn::run::compareLogSumExp(const HostTensor &out,
                                             const HostTensor &reference,
                                             const Allowances &allowances) {
  assert(out.getShape() == reference.getShape() && "shapes must agree");
  Comparator comparator(out, Rule::LogSumExp, std::ldexp(1.0, -16), allowances);
  out.forEach([&](llvm::ArrayRef<int64_t> index, std::byte *address) {
    comparator.add(index, address, reference.get(index));
  });
  return comparator.finish();
}
