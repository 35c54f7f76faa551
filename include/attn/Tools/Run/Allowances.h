//===- Allowances.h - What inputs excuse in a result ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the inputs of one attention allow its results beyond the bounds that
// hold for all: the spread of a V that is not finite, and the rounding of large
// scores. docs/Numerics.md derives both.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_ALLOWANCES_H
#define ATTN_TOOLS_RUN_ALLOWANCES_H

#include "attn/Tools/Run/Check.h"
#include "attn/Tools/Run/Inputs.h"
#include "attn/Tools/Run/Program.h"
#include "attn/Tools/Run/Signature.h"

namespace mlir::attn::run {

/// Makes the allowances of results of a function with one attention whose
/// operands are arguments; for other functions nothing is allowed.
class AllowanceMaker {
public:
  /// `reference` are the function's results by the reference. Everything must
  /// outlive this, and this the allowances that it made.
  AllowanceMaker(const Signature &signature, ArrayRef<HostTensor> inputs,
                 ArrayRef<HostTensor> reference, ProgramProvider &programs);

  /// What is allowed of result `number`. Programs run when it is asked for.
  Allowances make(unsigned number);

  /// What went wrong while programs ran.
  llvm::Error takeError() const;

private:
  void findSpread();
  void computeScores();
  void computeDeviations();
  llvm::Expected<HostTensor> copy(unsigned argument,
                                  function_ref<double(double)> change) const;

  bool mayOverflow(int64_t batch, const Segment &segment, int64_t firstHead,
                   int64_t endHead);
  bool maySpread(ArrayRef<int64_t> index);
  double getScoreError(ArrayRef<int64_t> row);
  double getValueError(ArrayRef<int64_t> index);
  SmallVector<int64_t> getRow(ArrayRef<int64_t> index) const;

  const Signature &signature;
  ArrayRef<HostTensor> inputs, reference;
  ProgramProvider &programs;
  const AttentionSite *site = nullptr;
  std::string failure;
  /// The segment of each packed query row, -1 for none.
  std::vector<int64_t> segmentOfRow;
  /// By batch or segment, key/value head and value column: whether V holds
  /// there what is not finite, and some row sees it or may have a score there
  /// that overflows.
  std::vector<bool> spreads;
  /// At least the largest sum of |q_d k_d| times the scale that a row sees,
  /// like lse; and the mean of v^2, like out. Absent until asked for.
  std::optional<HostTensor> scores, squares;
  bool hasScores = false, hasSquares = false;
};

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_ALLOWANCES_H
