//===- AttnToAttnGPU.cpp - The pass convert-attn-to-attn-gpu --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes kernel and launch around what a loop over query tiles does.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToAttnGPU/AttnToAttnGPU.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNTOATTNGPUPASS
#include "attn/Conversion/AttnToAttnGPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Makes the kernel of one loop, and its launch.
class LoopConversion {
public:
  LoopConversion(RewriterBase &b, scf::ForallOp loop, StringRef name,
                 const KernelOptions &options)
      : b(b), loop(loop), loc(loop.getLoc()), name(name), options(options) {}

  LogicalResult run() {
    if (failed(checkTiles()) || failed(checkPartials()))
      return failure();
    collectInputs();
    if (failed(collectOutputs()))
      return failure();
    if (failed(buildKernel()))
      return failure();
    takeSchedule();
    buildLaunch();
    return success();
  }

private:
  LogicalResult checkTiles() {
    constexpr int64_t most = 8 * attn_gpu::AttnGPUDialect::kFragmentRows;
    if (loop.getRank() != 4)
      return loop.emitError("expected a loop over batch, kv head, group and "
                            "query tiles, got one of ")
             << loop.getRank() << " dimensions";
    if (ShapedType::isDynamic(getQueryTile()) || getQueryTile() > most ||
        getQueryTile() % attn_gpu::AttnGPUDialect::kFragmentRows != 0)
      return loop.emitError("expected query tiles of a multiple of 64 rows, at "
                            "most ")
             << most << ", got " << getQueryTile();
    return success();
  }

  /// Reasons stand at the operation, before anything in its way is looked at.
  LogicalResult checkPartials() {
    WalkResult checked = loop.walk([](PartialOp op) {
      SmallVector<std::string> reasons;
      attn::detail::findUnsupported(op, reasons);
      if (reasons.empty())
        return WalkResult::advance();
      InFlightDiagnostic diag = op.emitOpError("has no kernel:");
      for (const std::string &reason : reasons)
        diag << "\n  " << reason;
      return WalkResult::interrupt();
    });
    return failure(checked.wasInterrupted());
  }

  /// What the loop uses from outside: constants go into the kernel, everything
  /// else becomes an argument.
  void collectInputs() {
    SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    used.insert_range(loop.getDynamicUpperBound());
    used.insert_range(loop.getDynamicLowerBound());
    used.insert_range(loop.getDynamicStep());
    for (Value value : used) {
      // Where one tile is all of a result it is written to as a whole: nothing
      // reads what is not there yet.
      if (value.getDefiningOp<tensor::EmptyOp>())
        continue;
      if (matchPattern(value, m_Constant()))
        constants.push_back(value);
      else
        inputs.push_back(value);
    }
  }

  LogicalResult collectOutputs() {
    for (auto [init, argument] :
         llvm::zip_equal(loop.getOutputs(), loop.getRegionOutArgs())) {
      Operation *writer = nullptr;
      for (Operation *user : argument.getUsers()) {
        if (writer || !isa<tensor::ParallelInsertSliceOp>(user))
          return loop.emitError("keys are walked in parts: expected a loop "
                                "whose results are those of attn.finalize, as "
                                "key-parts=1 gives them");
        writer = user;
      }
      auto type = cast<RankedTensorType>(init.getType());
      // One value for each row gets a dimension of its own for columns.
      isRow.push_back(type.getRank() == 4);
      Value output = init;
      if (isRow.back())
        output = expand(init);
      outputs.push_back(output);
    }
    return success();
  }

  SmallVector<ReassociationIndices> getRowGroups() {
    return {{0}, {1}, {2}, {3, 4}};
  }

  Value expand(Value rows) {
    auto type = cast<RankedTensorType>(rows.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(1);
    b.setInsertionPoint(loop);
    // What the loop writes first is never expanded: the memory of the result
    // can take its place.
    if (auto empty = rows.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(b, loc, type.clone(shape),
                                     empty.getDynamicSizes());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, rows);
    sizes.push_back(b.getIndexAttr(1));
    return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), rows,
                                         getRowGroups(), sizes);
  }

  /// A tensor as kernels see it.
  Type getArgumentType(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return type;
    SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
    if (!strides.empty())
      strides.back() = 1;
    return MemRefType::get(
        tensor.getShape(), tensor.getElementType(),
        StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides));
  }

  /// Rows of a query tile.
  int64_t getQueryTile() { return loop.getStaticStep()[PartialOp::Query]; }

  LogicalResult buildKernel() {
    SmallVector<Type> types;
    for (Value input : inputs)
      types.push_back(getArgumentType(input.getType()));
    for (Value output : outputs)
      types.push_back(getArgumentType(output.getType()));
    b.setInsertionPoint(loop->getParentOfType<func::FuncOp>());
    kernel = attn_gpu::KernelOp::create(
        b, loc, b.getStringAttr(name),
        TypeAttr::get(b.getFunctionType(types, {})),
        b.getI64IntegerAttr(getQueryTile() /
                            attn_gpu::AttnGPUDialect::kFragmentRows),
        /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
    SmallVector<Location> locs(types.size(), loc);
    Block *body = b.createBlock(&kernel.getBody(), {}, types, locs);
    IRMapping mapping;
    for (Value constant : constants)
      b.clone(*constant.getDefiningOp(), mapping);
    mapping.map(inputs, body->getArguments().take_front(inputs.size()));
    ValueRange written = body->getArguments().drop_front(inputs.size());

    SmallVector<Value> lower = getBounds(loop.getMixedLowerBound(), mapping);
    SmallVector<Value> upper = getBounds(loop.getMixedUpperBound(), mapping);
    SmallVector<Value> step = getBounds(loop.getMixedStep(), mapping);
    SmallVector<Value> extents;
    for (auto [from, to, by] : llvm::zip_equal(lower, upper, step))
      extents.push_back(buildExtent(from, to, by));
    // The tiles of a causal mask that see most keys come first.
    auto work = attn_gpu::WorkLoopOp::create(
        b, loc, extents, b.getDenseI64ArrayAttr({PartialOp::Query}));
    attn_gpu::ReturnOp::create(b, loc);
    SmallVector<Type> indices(extents.size(), b.getIndexType());
    SmallVector<Location> indexLocs(extents.size(), loc);
    Block *tile = b.createBlock(&work.getBody(), {}, indices, indexLocs);
    for (auto [iv, number, from, by] : llvm::zip_equal(
             loop.getInductionVars(), tile->getArguments(), lower, step)) {
      Value place = arith::MulIOp::create(b, loc, number, by);
      mapping.map(iv, arith::AddIOp::create(b, loc, place, from).getResult());
    }
    LogicalResult converted =
        attn::detail::TileProgram(b, mapping, options).convert(loop, written);
    attn_gpu::YieldOp::create(b, loc);
    return converted;
  }

  /// What the walk's schedule says of kernels, for the passes on them.
  void takeSchedule() {
    loop.walk([&](WalkOp walk) {
      if (auto schedule =
              walk->getAttrOfType<ScheduleAttr>(kScheduleAttrName)) {
        NamedAttrList facts;
        facts.set("stages", b.getI64IntegerAttr(schedule.getStages()));
        facts.set("work", b.getStringAttr(schedule.getWork()));
        facts.set("turns", b.getBoolAttr(schedule.getTurns()));
        facts.set("flatten", b.getBoolAttr(schedule.getFlatten()));
        facts.set("lazy_rescale", b.getBoolAttr(schedule.getLazyRescale()));
        facts.set("queries_in_registers",
                  b.getBoolAttr(schedule.getQueriesInRegisters()));
        facts.set("early_weights", b.getBoolAttr(schedule.getEarlyWeights()));
        if (schedule.getCluster() > 1)
          facts.set("cluster", b.getI64IntegerAttr(schedule.getCluster()));
        kernel->setDiscardableAttr(attn_gpu::KernelOp::kScheduleAttrName,
                                   facts.getDictionary(b.getContext()));
      }
      auto choice = walk->getAttrOfType<DictionaryAttr>(kChoiceAttrName);
      if (!choice)
        return;
      NamedAttrList origin(choice);
      origin.set("query_tile", b.getI64IntegerAttr(getQueryTile()));
      origin.set("key_tile", b.getI64IntegerAttr(walk.getTile()));
      kernel->setDiscardableAttr(attn_gpu::KernelOp::kOriginAttrName,
                                 origin.getDictionary(b.getContext()));
    });
  }

  SmallVector<Value> getBounds(ArrayRef<OpFoldResult> bounds,
                               IRMapping &mapping) {
    SmallVector<Value> values;
    for (OpFoldResult bound : bounds)
      values.push_back(isa<Attribute>(bound)
                           ? arith::ConstantIndexOp::create(
                                 b, loc, *getConstantIntValue(bound))
                                 .getResult()
                           : mapping.lookupOrDefault(cast<Value>(bound)));
    return values;
  }

  Value buildExtent(Value from, Value to, Value by) {
    return arith::CeilDivSIOp::create(
        b, loc, arith::SubIOp::create(b, loc, to, from), by);
  }

  void buildLaunch() {
    b.setInsertionPoint(loop);
    IRMapping none;
    SmallVector<Value> lower = getBounds(loop.getMixedLowerBound(), none);
    SmallVector<Value> upper = getBounds(loop.getMixedUpperBound(), none);
    SmallVector<Value> step = getBounds(loop.getMixedStep(), none);
    Value blocks = arith::ConstantIndexOp::create(b, loc, 1);
    for (auto [from, to, by] : llvm::zip_equal(lower, upper, step))
      blocks = arith::MulIOp::create(b, loc, blocks, buildExtent(from, to, by));
    auto launch = attn_gpu::LaunchOp::create(
        b, loc, ValueRange(outputs).getTypes(), kernel.getSymName(), blocks,
        inputs, outputs);
    SmallVector<Value> results;
    for (auto [result, row, wanted] :
         llvm::zip_equal(launch.getResults(), isRow, loop.getResultTypes()))
      results.push_back(row ? tensor::CollapseShapeOp::create(
                                  b, loc, wanted, result, getRowGroups())
                                  .getResult()
                            : Value(result));
    b.replaceOp(loop, results);
  }

  RewriterBase &b;
  scf::ForallOp loop;
  Location loc;
  StringRef name;
  const KernelOptions &options;
  SmallVector<Value> constants, inputs, outputs;
  SmallVector<bool> isRow;
  attn_gpu::KernelOp kernel;
};

struct ConvertAttnToAttnGPU
    : attn::impl::ConvertAttnToAttnGPUPassBase<ConvertAttnToAttnGPU> {
  using ConvertAttnToAttnGPUPassBase::ConvertAttnToAttnGPUPassBase;

  void runOnOperation() override {
    KernelOptions options{rescaleSlack, queriesInRegisters};
    // Extents of the states of all rows, which the loop keeps in registers.
    RewritePatternSet patterns(&getContext());
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    SmallVector<std::pair<scf::ForallOp, std::string>> loops;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      unsigned count = 0;
      function.walk([&](scf::ForallOp loop) {
        auto mapping = loop.getMapping();
        if (!mapping || !llvm::all_of(*mapping, llvm::IsaPred<DimensionAttr>))
          return;
        std::string name = (function.getSymName() + "_kernel").str();
        if (count != 0)
          name += std::to_string(count);
        ++count;
        loops.push_back({loop, name});
      });
    }
    IRRewriter rewriter(&getContext());
    for (auto &[loop, name] : loops)
      if (failed(convertToKernel(rewriter, loop, name, options)))
        return signalPassFailure();
    bool left = false;
    getOperation().walk([&](Operation *op) {
      if (!isa_and_present<AttnDialect>(op->getDialect()))
        return;
      left = true;
      op->emitOpError("is in no loop over query tiles: it has no kernel");
    });
    if (left)
      signalPassFailure();
  }
};

} // namespace

LogicalResult attn::convertToKernel(RewriterBase &rewriter, scf::ForallOp loop,
                                    StringRef name,
                                    const KernelOptions &options) {
  return LoopConversion(rewriter, loop, name, options).run();
}
