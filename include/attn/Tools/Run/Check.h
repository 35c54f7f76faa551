//===- Check.h - Results against the reference ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules by which a result is right; docs/Numerics.md has the reasons.
//
// * Values: `max|out - ref| <= 2 max|plain - ref| + 2 ulp`, where `ref` is the
//   f64 reference, `plain` the same arithmetic as a plain implementation in the
//   operand type does it, and the ulp is that of the result's type at the
//   largest |ref|.
// * Log-sum-exp: `|lse - ref| <= 2^-16 max(1, |ref|)`, per element.
// * Both: NaN where the reference has NaN and nowhere else; the same infinity
//   where the reference (rounded to the result's type) is infinite and nowhere
//   else; no element that was never written.
//
// The inputs may allow single elements more, see Allowances.h.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_CHECK_H
#define ATTN_TOOLS_RUN_CHECK_H

#include "attn/Tools/Run/HostTensor.h"
#include <functional>
#include <string>
#include <vector>

namespace mlir::attn::run {

enum class Rule : uint8_t { Value, LogSumExp };

/// How one result compares with its reference.
struct Comparison {
  bool passed = true;
  /// The largest error over elements that are finite on both sides, and where.
  /// Under `LogSumExp` errors are divided by `max(1, |ref|)`.
  double error = 0;
  llvm::SmallVector<int64_t> worst;
  double worstValue = 0, worstReference = 0;
  /// What the error may be.
  double bound = 0;
  /// `max|plain - ref|`; only under `Value`.
  double plainError = 0;
  /// `max|ref|` over finite elements.
  double scale = 0;
  /// Elements with a NaN or an infinity that the other side has not got.
  int64_t misplaced = 0;
  /// Elements that still hold the poison of before the call.
  int64_t unwritten = 0;
  /// Elements beyond the bound that large scores excuse; they do not count in
  /// `error`.
  int64_t excused = 0;
  /// Elements that are not finite, where the reference is, because V is not.
  int64_t spread = 0;
  /// Every reason for a failure, with an index each; empty if passed.
  std::vector<std::string> reasons;
};

/// What single elements are allowed beyond the rules. An empty function allows
/// nothing.
struct Allowances {
  /// Added to the bound of the element at an index, absolute.
  std::function<double(llvm::ArrayRef<int64_t>)> error;
  /// Whether that element may be not finite, in any way, where the reference is
  /// finite. Where the reference is not finite it must not be finite either.
  std::function<bool(llvm::ArrayRef<int64_t>)> nonFinite;
};

/// Compares by Rule::Value. The shapes must agree; `reference` is f64. `plain`
/// is of any floating type; its elements that are not finite where the
/// reference is do not widen the bound.
Comparison compareValues(const HostTensor &out, const HostTensor &reference,
                         const HostTensor &plain,
                         const Allowances &allowances = {});

/// Compares by Rule::LogSumExp.
Comparison compareLogSumExp(const HostTensor &out, const HostTensor &reference,
                            const Allowances &allowances = {});

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_CHECK_H
