//===- FitSchedules.cpp - Schedules that an assembler is content with -----===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles copies of a program until no schedule is rejected, or none is left.
//
//===----------------------------------------------------------------------===//

#include "attn/Analysis/KernelSchedules.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Target/CUDA/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNGPUFITSCHEDULESPASS
#include "attn/Target/CUDA/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
/// What has been found of the schedules of one attention.
class Verdicts {
public:
  /// False if the schedule called `name` has been rejected before.
  bool reject(StringRef name, ArrayRef<StringRef> losses,
              int64_t spilledBytes) {
    if (llvm::any_of(rejections,
                     [&](const Rejection &r) { return r.name == name; }))
      return false;
    // Products that wait for each other cost more than any spill.
    int64_t serialised = llvm::count_if(
        losses, [](StringRef loss) { return !loss.contains("spilled"); });
    rejections.push_back(
        {name.str(), llvm::join(losses, "; "), {serialised, spilledBytes}});
    return true;
  }

  /// Nothing else is left: from now on all are rejected but the one that lost
  /// least.
  void settle() {
    kept = llvm::min_element(rejections, [](const auto &a, const auto &b) {
             return a.cost < b.cost;
           })->name;
  }
  bool isSettled() const { return !kept.empty(); }

  /// As `attn.rejected`.
  ArrayAttr getNames(Builder &b) const {
    SmallVector<Attribute> names;
    for (const Rejection &rejection : rejections)
      if (rejection.name != kept)
        names.push_back(b.getStringAttr(rejection.name));
    return b.getArrayAttr(names);
  }

  /// As an entry of an origin.
  ArrayAttr describe(Builder &b) const {
    SmallVector<Attribute> entries;
    for (const Rejection &rejection : rejections)
      if (rejection.name != kept)
        entries.push_back(b.getDictionaryAttr(
            {b.getNamedAttr("schedule", b.getStringAttr(rejection.name)),
             b.getNamedAttr("why", b.getStringAttr(rejection.why))}));
    return b.getArrayAttr(entries);
  }

private:
  struct Rejection {
    std::string name, why;
    std::pair<int64_t, int64_t> cost;
  };

  SmallVector<Rejection> rejections;
  std::string kept; // empty: not settled
};

struct FitSchedules : attn::impl::AttnGPUFitSchedulesPassBase<FitSchedules> {
  using AttnGPUFitSchedulesPassBase::AttnGPUFitSchedulesPassBase;
  explicit FitSchedules(std::function<void(OpPassManager &)> build)
      : build(std::move(build)) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    AttnGPUFitSchedulesPassBase::getDependentDialects(registry);
    FailureOr<OpPassManager> passes = makePipeline(llvm::nulls());
    if (succeeded(passes))
      passes->getDependentDialects(registry);
  }

  void runOnOperation() override {
    std::string problem;
    llvm::raw_string_ostream os(problem);
    FailureOr<OpPassManager> passes = makePipeline(os);
    if (failed(passes) ||
        passes->getOpAnchorName() != ModuleOp::getOperationName()) { // C1
      getOperation().emitError("attn-gpu-fit-schedules: option 'pipeline' "
                               "expected passes as builtin.module(...)")
          << (problem.empty() ? "" : ": ") << StringRef(problem).rtrim();
      return signalPassFailure();
    }
    SmallVector<AttentionOp> attentions;
    getOperation().walk([&](AttentionOp op) { attentions.push_back(op); });
    SmallVector<Verdicts> verdicts(attentions.size());
    for (;;) {
      ModuleOp trial = makeTrial();
      // What is said of a trial that is thrown away would be said again.
      SmallVector<Diagnostic> warnings;
      LogicalResult compiled = failure();
      {
        ScopedDiagnosticHandler collect(&getContext(), [&](Diagnostic &diag) {
          if (diag.getSeverity() != DiagnosticSeverity::Warning)
            return failure();
          warnings.push_back(std::move(diag));
          return success();
        });
        compiled = runPipeline(*passes, trial);
      }
      bool again = succeeded(compiled) && judge(trial, attentions, verdicts);
      if (!again)
        for (Diagnostic &warning : warnings)
          getContext().getDiagEngine().emit(std::move(warning));
      if (failed(compiled))
        return signalPassFailure();
      if (!again)
        return accept(trial, verdicts);
      trial.erase();
      passes = makePipeline(llvm::nulls());
    }
  }

private:
  FailureOr<OpPassManager> makePipeline(raw_ostream &os) const {
    if (!build)
      return parsePassPipeline(pipeline, os);
    OpPassManager passes(ModuleOp::getOperationName());
    build(passes);
    return passes;
  }

  /// A copy of the program, in a module of its own.
  ModuleOp makeTrial() {
    OpBuilder b(&getContext());
    auto trial = ModuleOp::create(b, getOperation().getLoc());
    trial->setAttrs(getOperation()->getAttrDictionary());
    for (Operation &op : *getOperation().getBody())
      trial.push_back(op.clone());
    getOperation().push_back(trial);
    return trial;
  }

  static DictionaryAttr getOrigin(attn_gpu::ImageOp image) {
    return image->getAttrOfType<DictionaryAttr>(
        attn_gpu::KernelOp::kOriginAttrName);
  }

  /// The number of the attention that `image` is for, if its schedule was
  /// chosen, so that another one can be.
  static std::optional<unsigned> getAttention(attn_gpu::ImageOp image,
                                              unsigned count) {
    DictionaryAttr origin = getOrigin(image);
    if (!origin || origin.contains("given"))
      return std::nullopt;
    auto number = origin.getAs<IntegerAttr>("attention");
    if (!number || number.getInt() < 0 || number.getInt() >= count)
      return std::nullopt;
    return number.getInt();
  }

  static std::string getScheduleName(attn_gpu::ImageOp image) {
    auto get = [&](StringRef name) {
      auto value = getOrigin(image).getAs<IntegerAttr>(name);
      return value ? value.getInt() : 0;
    };
    KernelSchedule schedule;
    schedule.queryTile = get("query_tile");
    schedule.keyTile = get("key_tile");
    return schedule.getName();
  }

  static int64_t getBytes(attn_gpu::ImageOp image, StringRef name) {
    std::optional<DictionaryAttr> assembly = image.getAssembly();
    auto value = assembly ? assembly->getAs<IntegerAttr>(name) : IntegerAttr();
    return value ? value.getInt() : 0;
  }

  static int64_t getSpilledBytes(attn_gpu::ImageOp image) {
    return getBytes(image, "spill_store_bytes") +
           getBytes(image, "spill_load_bytes");
  }

  /// Whether another schedule would lose more than `image` does. A few
  /// registers spilled in a step of some thousand instructions cost 0 to 4 %,
  /// the next smaller tiles 6 to 7 % (docs/Rationale/AttnGPU.md, Schedules).
  static bool isBestKept(attn_gpu::ImageOp image) {
    constexpr int64_t kMostBytes = 64; // 16 registers
    return getBytes(image, "spill_store_bytes") <= kMostBytes &&
           getBytes(image, "spill_load_bytes") <= kMostBytes &&
           llvm::all_of(image.getLosses(), [](StringRef loss) {
             return loss.contains("spilled");
           });
  }

  /// Looks at the images of `trial`. True if it has to be compiled anew. Each
  /// time a schedule is rejected that was not, or an attention is settled, so
  /// it ends.
  bool judge(ModuleOp trial, ArrayRef<AttentionOp> attentions,
             MutableArrayRef<Verdicts> verdicts) {
    bool again = false;
    Builder b(&getContext());
    for (auto image : trial.getOps<attn_gpu::ImageOp>()) {
      SmallVector<StringRef> losses = image.getLosses();
      std::optional<unsigned> number = getAttention(image, attentions.size());
      if (!number || verdicts[*number].isSettled() || isBestKept(image))
        continue;
      Verdicts &verdict = verdicts[*number];
      AttentionOp op = attentions[*number];
      std::string name = getScheduleName(image);
      if (verdict.reject(name, losses, getSpilledBytes(image)))
        remark::failed(op.getLoc(), remark::RemarkOpts::name("rejected")
                                        .category("attn-gpu-fit-schedules"))
            << (name + ": " + llvm::join(losses, "; "));
      else
        verdict.settle(); // it was taken again for want of another
      op->setDiscardableAttr(kRejectedAttrName, verdict.getNames(b));
      again = true;
    }
    return again;
  }

  /// Puts `trial` in the place of the program.
  void accept(ModuleOp trial, ArrayRef<Verdicts> verdicts) {
    Builder b(&getContext());
    for (auto image : trial.getOps<attn_gpu::ImageOp>()) {
      std::optional<unsigned> number = getAttention(image, verdicts.size());
      for (StringRef loss : image.getLosses())
        if (number && isBestKept(image))
          remark::passed(image.getLoc(),
                         remark::RemarkOpts::name("kept").category(
                             "attn-gpu-fit-schedules"))
              << loss;
        else
          emitWarning(image.getLoc(), loss);
      if (!number)
        continue;
      ArrayAttr rejected = verdicts[*number].describe(b);
      if (rejected.empty())
        continue;
      NamedAttrList origin(getOrigin(image));
      origin.set("rejected", rejected);
      image->setDiscardableAttr(attn_gpu::KernelOp::kOriginAttrName,
                                origin.getDictionary(&getContext()));
    }
    Block &body = *getOperation().getBody();
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (&op != trial.getOperation())
        op.erase();
    getOperation()->setAttrs(trial->getAttrDictionary());
    body.getOperations().splice(Block::iterator(trial),
                                trial.getBody()->getOperations());
    trial.erase();
  }

  std::function<void(OpPassManager &)> build;
};
} // namespace

std::unique_ptr<Pass>
attn::createFitSchedulesPass(std::function<void(OpPassManager &)> build) {
  return std::make_unique<FitSchedules>(std::move(build));
}
