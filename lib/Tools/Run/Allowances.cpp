//===- Allowances.cpp - What inputs excuse in a result --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for values that are not finite, and runs the reference on the sizes of
// operands to learn how large the terms of scores are.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/Allowances.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn::run;

/// The unit roundoff of f32, in which scores are.
static const double kUnit = std::ldexp(1.0, -24);

/// Where terms of scores stay below this, as those of normal inputs do, the
/// bound of values says enough.
static constexpr double kLargeScore = 64;

AllowanceMaker::AllowanceMaker(const Signature &signature,
                               ArrayRef<HostTensor> inputs,
                               ArrayRef<HostTensor> reference,
                               ProgramProvider &programs)
    : signature(signature), inputs(inputs), reference(reference),
      programs(programs) {
  if (signature.sites.size() != 1)
    return;
  const AttentionSite &only = signature.sites.front();
  if (only.get(Role::Query) && only.get(Role::Key) && only.get(Role::Value))
    site = &only;
}

llvm::Error AllowanceMaker::takeError() const {
  return failure.empty() ? llvm::Error::success()
                         : llvm::createStringError(failure);
}

Allowances AllowanceMaker::make(unsigned number) {
  Allowances allowances;
  if (!site)
    return allowances;
  if (site->lse == number)
    allowances.error = [this](ArrayRef<int64_t> row) {
      return getScoreError(row);
    };
  if (site->out == number) {
    findSpread();
    allowances.nonFinite = [this](ArrayRef<int64_t> index) {
      return maySpread(index);
    };
    allowances.error = [this](ArrayRef<int64_t> index) {
      return getValueError(index);
    };
  }
  return allowances;
}

//===----------------------------------------------------------------------===//
// Values that are not finite
//===----------------------------------------------------------------------===//

void AllowanceMaker::findSpread() {
  std::optional<std::vector<Segment>> segments = getSegments(*site, inputs);
  if (!segments)
    return;
  const HostTensor &v = inputs[*site->get(Role::Value)];
  const HostTensor &out = reference[*site->out];
  int64_t heads = v.getShape()[1], columns = v.getShape().back();
  if (heads == 0)
    return;
  int64_t group = out.getShape()[1] / heads;
  auto place = [&](int64_t segment, int64_t head, int64_t column) {
    return (segment * heads + head) * columns + column;
  };
  std::vector<bool> holds(segments->size() * heads * columns),
      isSeen(holds.size());
  if (site->packed)
    segmentOfRow.assign(out.getShape()[0], -1);
  for (int64_t b = 0, e = segments->size(); b < e; ++b) {
    const Segment &segment = (*segments)[b];
    auto each = [&](const HostTensor &tensor, int64_t begin, int64_t end,
                    llvm::function_ref<void(int64_t, int64_t)> mark) {
      for (int64_t n = begin; n < end; ++n)
        for (int64_t h = 0, e = tensor.getShape()[1]; h < e; ++h)
          for (int64_t column = 0; column < columns; ++column)
            if (!std::isfinite(site->packed ? tensor.get({n, h, column})
                                            : tensor.get({b, h, n, column})))
              mark(h, column);
    };
    each(v, segment.beginKv, segment.endKv,
         [&](int64_t h, int64_t c) { holds[place(b, h, c)] = true; });
    each(out, segment.beginQ, segment.endQ,
         [&](int64_t h, int64_t c) { isSeen[place(b, h / group, c)] = true; });
    // A score that overflows to -inf hides its key, but not what V holds there.
    // Only where V is not finite: sizes of scores are another run.
    auto holdsIn = [&](int64_t h, int64_t c) -> bool {
      return holds[place(b, h, c)];
    };
    for (int64_t h = 0; h < heads && !site->hasScoreRegion; ++h)
      for (int64_t c = 0; c < columns; ++c)
        if (holdsIn(h, c) && !isSeen[place(b, h, c)])
          isSeen[place(b, h, c)] =
              mayOverflow(b, segment, h * group, (h + 1) * group);
    if (site->packed)
      for (int64_t n = segment.beginQ; n < segment.endQ; ++n)
        segmentOfRow[n] = b;
  }
  spreads.resize(holds.size());
  for (size_t n = 0; n < holds.size(); ++n)
    spreads[n] = holds[n] && isSeen[n];
}

/// Whether terms of some score of these heads in a batch or segment are beyond
/// f32.
bool AllowanceMaker::mayOverflow(int64_t batch, const Segment &segment,
                                 int64_t firstHead, int64_t endHead) {
  computeScores();
  if (!scores)
    return false;
  for (int64_t h = firstHead; h < endHead; ++h)
    for (int64_t n = segment.beginQ; n < segment.endQ; ++n)
      // A score of +inf makes the row NaN. -inf is a row without keys.
      if (std::isnan(site->packed ? scores->get({h, n})
                                  : scores->get({batch, h, n})))
        return true;
  return false;
}

bool AllowanceMaker::maySpread(ArrayRef<int64_t> index) {
  if (spreads.empty())
    return false;
  int64_t segment = site->packed ? segmentOfRow[index[0]] : index[0];
  if (segment < 0)
    return false;
  int64_t heads = inputs[*site->get(Role::Value)].getShape()[1];
  int64_t group = reference[*site->out].getShape()[1] / heads;
  int64_t columns = reference[*site->out].getShape().back();
  return spreads[(segment * heads + index[1] / group) * columns + index.back()];
}

//===----------------------------------------------------------------------===//
// Large scores
//===----------------------------------------------------------------------===//

llvm::Expected<HostTensor>
AllowanceMaker::copy(unsigned argument,
                     function_ref<double(double)> change) const {
  const HostTensor &from = inputs[argument];
  llvm::Expected<HostTensor> to =
      HostTensor::create(from.getType(), from.getShape());
  if (!to)
    return to.takeError();
  from.forEach([&](ArrayRef<int64_t> index, std::byte *address) {
    to->set(index, change(load(from.getType(), address)));
  });
  return to;
}

void AllowanceMaker::computeScores() {
  if (hasScores)
    return;
  hasScores = true;
  auto run = [&]() -> llvm::Expected<HostTensor> {
    llvm::Expected<Program *> program =
        programs.get(signature.function, ProgramKind::ScoreSizes);
    if (!program)
      return program.takeError();
    std::vector<HostTensor> arguments = inputs;
    for (Role role : {Role::Query, Role::Key}) {
      unsigned n = *site->get(role);
      llvm::Expected<HostTensor> sizes =
          copy(n, [](double x) { return std::fabs(x); });
      if (!sizes)
        return sizes.takeError();
      arguments[n] = std::move(*sizes);
    }
    ArrayRef<int64_t> q = inputs[*site->get(Role::Query)].getShape();
    SmallVector<int64_t> rows = site->packed
                                    ? SmallVector<int64_t>{q[1], q[0]}
                                    : SmallVector<int64_t>(q.drop_back());
    llvm::Expected<HostTensor> logs =
        HostTensor::create(ElementType::F64, rows);
    if (!logs)
      return logs.takeError();
    if (llvm::Error failed = (*program)->call(arguments, {*logs}))
      return failed;
    return logs;
  };
  llvm::Expected<HostTensor> result = run();
  if (result)
    scores = std::move(*result);
  else
    failure = llvm::toString(result.takeError());
}

void AllowanceMaker::computeDeviations() {
  if (hasSquares)
    return;
  hasSquares = true;
  auto run = [&]() -> llvm::Expected<HostTensor> {
    llvm::Expected<Program *> program =
        programs.get(signature.function, ProgramKind::Reference);
    if (!program)
      return program.takeError();
    unsigned n = *site->get(Role::Value);
    std::vector<HostTensor> arguments = inputs;
    llvm::Expected<HostTensor> squared =
        copy(n, [](double x) { return x * x; });
    if (!squared)
      return squared.takeError();
    arguments[n] = std::move(*squared);
    std::vector<HostTensor> results;
    for (const HostTensor &like : reference) {
      llvm::Expected<HostTensor> result =
          HostTensor::create(like.getType(), like.getShape());
      if (!result)
        return result.takeError();
      results.push_back(std::move(*result));
    }
    if (llvm::Error failed = (*program)->call(arguments, results))
      return failed;
    return results[*site->out];
  };
  llvm::Expected<HostTensor> result = run();
  if (result)
    squares = std::move(*result);
  else
    failure = llvm::toString(result.takeError());
}

/// `(sqrt(D) + 2) 2^-24` times what the largest score of the row is summed of.
double AllowanceMaker::getScoreError(ArrayRef<int64_t> row) {
  computeScores();
  if (!scores)
    return 0;
  double size = scores->get(row);
  double headDim =
      static_cast<double>(inputs[*site->get(Role::Query)].getShape().back());
  return std::isfinite(size) ? (std::sqrt(headDim) + 2) * kUnit * size : 0;
}

SmallVector<int64_t> AllowanceMaker::getRow(ArrayRef<int64_t> index) const {
  if (site->packed)
    return {index[1], index[0]};
  return SmallVector<int64_t>(index.drop_back());
}

/// `(e^(2 delta) - 1) sigma`: scores off by at most delta, values that deviate
/// by sigma from their weighted mean.
double AllowanceMaker::getValueError(ArrayRef<int64_t> index) {
  SmallVector<int64_t> row = getRow(index);
  double delta = getScoreError(row);
  if (!scores || !(scores->get(row) >= kLargeScore))
    return 0;
  computeDeviations();
  if (!squares)
    return 0;
  double mean = reference[*site->out].get(index), square = squares->get(index);
  // The squares were rounded to the type of v.
  double unit = ulp(inputs[*site->get(Role::Value)].getType(), 1) / 2;
  double variance = std::max(0.0, square - mean * mean) + unit * square;
  double allowed = std::expm1(2 * delta) * std::sqrt(variance);
  return std::isfinite(allowed) ? allowed : 0;
}
