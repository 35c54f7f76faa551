//===- SelectSchedule.cpp - Schedules of kernels, by length ---------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the table and the cost model for each attention, and lets the host
// program choose where only a call knows the lengths.
//
//===----------------------------------------------------------------------===//

#include "WalkMask.h"
#include "attn/Analysis/KernelSchedules.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/Attn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSELECTSCHEDULEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Chooses for one operation.
class ScheduleSelection {
public:
  ScheduleSelection(RewriterBase &rewriter, AttentionOp op, int64_t number)
      : rewriter(rewriter), op(op), number(number) {}

  LogicalResult run(StringRef chip, const ScheduleOverrides &overrides);

private:
  std::optional<ScheduleRow> findRow(StringRef chip);
  std::vector<LengthClass> findClasses(const ScheduleRow &row, bool single);
  AttentionMask getMask();
  LogicalResult keep(ScheduleAttr given);
  void warnOfOverrides(ScheduleAttr given, const ScheduleOverrides &overrides);
  LogicalResult check(const KernelSchedule &schedule);
  void annotate(AttentionOp target, const LengthClass &lengths);
  std::string describe(const LengthClass &lengths);
  Value buildLength();
  scf::IfOp branch(Value length, ArrayRef<LengthClass> classes);
  void fill(Block *block, Value length, ArrayRef<LengthClass> classes);

  static std::optional<int64_t> getExtent(Value tensor, int64_t dim) {
    int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    return extent;
  }
  std::optional<int64_t> getQueries() { return getExtent(op.getQ(), 2); }
  std::optional<int64_t> getKeys() { return getExtent(op.getK(), 2); }

  RewriterBase &rewriter;
  AttentionOp op;
  int64_t number;
  /// Which length is compared; empty where none is.
  StringRef lengthName;
  bool isGiven = false;
};
} // namespace

std::optional<ScheduleRow> ScheduleSelection::findRow(StringRef chip) {
  std::optional<ScheduleRow> row =
      findScheduleRow(chip, op.getHeadDim(), op.getValueDim(),
                      op.getMaskAttr() ? MaskKind::Masked : MaskKind::Full);
  auto rejected = op->getAttrOfType<ArrayAttr>(kRejectedAttrName);
  if (!row || !rejected)
    return row;
  ScheduleRow left = *row;
  for (auto name : rejected.getAsRange<StringAttr>())
    left.remove(name);
  return left.candidates.empty() ? row : left;
}

AttentionMask ScheduleSelection::getMask() {
  AttentionMask mask;
  if (op.getMaskAttr())
    mask.visible = convertMask(op.getMaskAttr(),
                               [](Attribute) { return MaskExpr::opaque(); });
  mask.bottomRight = op.getAlignment() == Alignment::BottomRight;
  return mask;
}

std::vector<LengthClass> ScheduleSelection::findClasses(const ScheduleRow &row,
                                                        bool single) {
  AttentionMask mask = getMask();
  // Segments of packed operands have lengths of their own.
  if (op.isPacked())
    return findLengthClasses(row, mask, std::nullopt, std::nullopt,
                             /*maxClasses=*/1);
  std::optional<int64_t> queries = getQueries(), keys = getKeys();
  if (!queries || !keys)
    return findLengthClasses(row, mask, queries, keys,
                             single ? 1 : kMaxLengthClasses);
  std::optional<int64_t> batches = getExtent(op.getQ(), 0),
                         heads = getExtent(op.getQ(), 1);
  AttentionExtents extents{std::nullopt, *queries, *keys};
  if (batches && heads)
    extents.heads = *batches * *heads;
  return {{0, std::nullopt, chooseSchedule(row, mask, extents)}};
}

/// C1.
LogicalResult ScheduleSelection::check(const KernelSchedule &schedule) {
  std::vector<std::string> faults =
      findScheduleFaults(schedule, op.getHeadDim(), op.getValueDim());
  if (faults.empty())
    return success();
  InFlightDiagnostic diag = op.emitError("no kernel has the schedule given:");
  for (const std::string &fault : faults)
    diag << "\n  " << fault;
  return diag;
}

LogicalResult ScheduleSelection::keep(ScheduleAttr given) {
  if (op->hasAttr(kChoiceAttrName)) // chosen before
    return success();
  KernelSchedule schedule{
      given.getQueryTile(),    given.getKeyTile(),
      given.getStages(),       given.getWork().str(),
      given.getTurns(),        given.getFlatten(),
      given.getLazyRescale(),  given.getQueriesInRegisters(),
      given.getEarlyWeights(), given.getCluster()};
  if (failed(check(schedule)))
    return failure();
  isGiven = true;
  rewriter.modifyOpInPlace(op, [&] {
    annotate(op,
             {0, std::nullopt, {schedule, std::nullopt, "given by attribute"}});
  });
  return success();
}

void ScheduleSelection::warnOfOverrides(ScheduleAttr given,
                                        const ScheduleOverrides &overrides) {
  SmallVector<std::string> ignored;
  auto compare = [&](StringRef option, auto asked, auto has) {
    if (asked != decltype(asked)() && asked != has)
      ignored.push_back(
          llvm::formatv("'{0}' of {1}, it has {2}", option, asked, has));
  };
  compare("query-tile", overrides.queryTile, given.getQueryTile());
  compare("key-tile", overrides.keyTile, given.getKeyTile());
  compare("stages", overrides.stages, given.getStages());
  compare("schedule", StringRef(overrides.work), given.getWork());
  if (!ignored.empty())
    op.emitWarning("has an attn.schedule, which options do not change: ")
        << llvm::join(ignored, "; ");
}

LogicalResult ScheduleSelection::run(StringRef chip,
                                     const ScheduleOverrides &overrides) {
  if (auto given = op->getAttrOfType<ScheduleAttr>(kScheduleAttrName)) {
    warnOfOverrides(given, overrides);
    return keep(given);
  }
  std::optional<ScheduleRow> row = findRow(chip);
  if (!row)
    return op.emitOpError("has no schedule for ")
           << chip << " with head dimensions " << op.getHeadDim() << " and "
           << op.getValueDim()
           << ": expected sm_90a and head dimensions up to 256";
  std::vector<LengthClass> classes = findClasses(*row, overrides.any());
  if (overrides.any()) {
    KernelSchedule &schedule = classes.front().candidate.schedule;
    if (overrides.queryTile)
      schedule.queryTile = overrides.queryTile;
    if (overrides.keyTile)
      schedule.keyTile = overrides.keyTile;
    if (overrides.stages)
      schedule.stages = overrides.stages;
    if (!overrides.work.empty())
      schedule.work = overrides.work;
    if (schedule.work != "strided")
      schedule.cluster = 1;
    if (failed(check(schedule)))
      return failure();
    classes.front().candidate.reason = "given by option";
    isGiven = true;
  }
  if (classes.size() == 1) {
    rewriter.modifyOpInPlace(op, [&] { annotate(op, classes.front()); });
    return success();
  }
  rewriter.setInsertionPoint(op);
  Value length = buildLength();
  scf::IfOp chosen = branch(length, classes);
  rewriter.replaceOp(op, chosen.getResults());
  return success();
}

Value ScheduleSelection::buildLength() {
  auto dim = [&](Value tensor) -> Value {
    return tensor::DimOp::create(rewriter, op.getLoc(), tensor, 2);
  };
  if (getKeys()) {
    lengthName = "queries";
    return dim(op.getQ());
  }
  if (getQueries()) {
    lengthName = "keys";
    return dim(op.getK());
  }
  lengthName = "min(queries, keys)";
  Value queries = dim(op.getQ()), keys = dim(op.getK());
  return arith::MinSIOp::create(rewriter, op.getLoc(), queries, keys);
}

/// The last of `classes`, the longest, or else one of those before it.
scf::IfOp ScheduleSelection::branch(Value length,
                                    ArrayRef<LengthClass> classes) {
  Location loc = op.getLoc();
  Value from =
      arith::ConstantIndexOp::create(rewriter, loc, classes.back().from);
  Value isLong = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge,
                                       length, from);
  auto condition = scf::IfOp::create(rewriter, loc, op->getResultTypes(),
                                     isLong, /*withElseRegion=*/true);
  fill(condition.thenBlock(), length, classes.back());
  fill(condition.elseBlock(), length, classes.drop_back());
  return condition;
}

void ScheduleSelection::fill(Block *block, Value length,
                             ArrayRef<LengthClass> classes) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(block);
  Operation *result;
  if (classes.size() == 1) {
    auto copy = cast<AttentionOp>(rewriter.clone(*op));
    annotate(copy, classes.front());
    result = copy;
  } else {
    result = branch(length, classes);
  }
  scf::YieldOp::create(rewriter, op.getLoc(), result->getResults());
}

/// `from 640 of min(queries, keys)`.
std::string ScheduleSelection::describe(const LengthClass &lengths) {
  if (lengthName.empty())
    return "";
  std::string text = " from " + std::to_string(lengths.from);
  if (lengths.below)
    text += " to " + std::to_string(*lengths.below - 1);
  return text + " of " + lengthName.str();
}

void ScheduleSelection::annotate(AttentionOp target,
                                 const LengthClass &lengths) {
  const auto &[schedule, cost, reason] = lengths.candidate;
  target->removeDiscardableAttr(kRejectedAttrName);
  target->setDiscardableAttr(
      kScheduleAttrName,
      ScheduleAttr::get(op.getContext(), schedule.queryTile, schedule.keyTile,
                        schedule.stages, schedule.work, schedule.turns,
                        schedule.flatten, schedule.lazyRescale,
                        schedule.queriesInRegisters, schedule.earlyWeights,
                        schedule.cluster));
  NamedAttrList choice;
  choice.set("attention", rewriter.getI64IntegerAttr(number));
  choice.set("mask",
             rewriter.getStringAttr(getMaskKindName(
                 op.getMaskAttr() ? MaskKind::Masked : MaskKind::Full)));
  choice.set("why", rewriter.getStringAttr(reason));
  if (isGiven)
    choice.set("given", rewriter.getUnitAttr());
  if (!lengthName.empty()) {
    choice.set("length", rewriter.getStringAttr(lengthName));
    choice.set("from", rewriter.getI64IntegerAttr(lengths.from));
    if (lengths.below)
      choice.set("below", rewriter.getI64IntegerAttr(*lengths.below));
  }
  target->setDiscardableAttr(kChoiceAttrName,
                             choice.getDictionary(op.getContext()));
  remark::passed(
      op.getLoc(),
      remark::RemarkOpts::name("schedule").category("attn-select-schedule"))
      << (schedule.getName() + describe(lengths) + ": " + reason);
}

std::string attn::checkWorkSchedule(StringRef work) {
  if (work.empty() || llvm::is_contained({"once", "strided", "dynamic"}, work))
    return "";
  return ("option 'schedule' expected once, strided or dynamic, got '" + work +
          "'")
      .str();
}

LogicalResult attn::selectSchedule(RewriterBase &rewriter, AttentionOp op,
                                   StringRef chip,
                                   const ScheduleOverrides &overrides,
                                   int64_t number) {
  return ScheduleSelection(rewriter, op, number).run(chip, overrides);
}

namespace {
struct SelectSchedulePass
    : attn::impl::AttnSelectSchedulePassBase<SelectSchedulePass> {
  using AttnSelectSchedulePassBase::AttnSelectSchedulePassBase;

  void runOnOperation() override {
    if (failed(checkOptions()))
      return signalPassFailure();
    SmallVector<AttentionOp> all;
    getOperation()->walk([&](AttentionOp op) { all.push_back(op); });
    IRRewriter rewriter(&getContext());
    bool valid = true;
    for (auto [number, op] : llvm::enumerate(all))
      valid &= succeeded(selectSchedule(
          rewriter, op, chip, {queryTile, keyTile, stages, schedule}, number));
    if (!valid)
      signalPassFailure();
  }

private:
  LogicalResult checkOptions() {
    SmallVector<std::string> faults = {
        kQueryTileRange.check("query-tile", queryTile),
        kKeyTileRange.check("key-tile", keyTile),
        kStagesRange.check("stages", stages), checkWorkSchedule(schedule)};
    bool valid = true;
    for (const std::string &fault : faults) {
      if (fault.empty())
        continue;
      getOperation()->emitError("attn-select-schedule: ") << fault;
      valid = false;
    }
    return success(valid);
  }
};
} // namespace
