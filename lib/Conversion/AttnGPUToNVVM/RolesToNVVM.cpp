//===- RolesToNVVM.cpp - Roles and turns to NVVM --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roles are the two sides of one branch that each warpgroup takes as a whole. A
// turn is a named barrier of two warpgroups: the one that waits for its turn
// and the one that passes it on.
//
//===----------------------------------------------------------------------===//

#include "NVVMBuilder.h"
#include "Patterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using Predicate = arith::CmpIPredicate;

/// The number of the running consumer, i32; -1 in the producer.
static Value getConsumer(NVVMBuilder &b, ConversionPatternRewriter &rewriter,
                         const KernelPlan &plan) {
  return b.toI32(rewriter.getRemappedValue(plan.getWarpgroup()));
}

/// `instruction` at the barrier where `consumer` waits for its turn.
static void emitTurnBarrier(NVVMBuilder &b, const KernelPlan &plan,
                            StringRef instruction, Value consumer) {
  InlinePTX code;
  code.inputs = {b.add(consumer, plan.getFirstTurnBarrier())};
  code.text = llvm::formatv("{0} {1}, {2};", instruction, code.input(0),
                            2 * AttnGPUDialect::kWarpgroupThreads);
  b.ptx(code);
}

namespace {
struct WarpgroupIndexLowering : OpConversionPattern<WarpgroupIndexOp> {
  WarpgroupIndexLowering(const TypeConverter &converter, MLIRContext *context,
                         const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(WarpgroupIndexOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    Value uniform =
        b.uniform(b.divU(b.getThread(), AttnGPUDialect::kWarpgroupThreads));
    Value consumer = plan.hasProducer() ? b.add(uniform, -1) : uniform;
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, b.getIndexType(),
                                                    consumer);
    return success();
  }

  const KernelPlan &plan;
};

struct WarpSpecializeLowering : OpConversionPattern<WarpSpecializeOp> {
  WarpSpecializeLowering(const TypeConverter &converter, MLIRContext *context,
                         const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(WarpSpecializeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    Value consumer = getConsumer(b, rewriter, plan);
    Value produces = b.cmp(Predicate::eq, consumer, -1);
    auto roles = scf::IfOp::create(b, produces, /*withElseRegion=*/true);

    b.setInsertionPointToStart(roles.thenBlock());
    NVVM::SetMaxRegisterOp::create(b, op.getProducerRegisters(),
                                   NVVM::SetMaxRegisterAction::decrease);
    Value elected = b.cmp(Predicate::eq, b.getThread(), 0);
    auto one = scf::IfOp::create(b, elected, /*withElseRegion=*/false);
    inlineRole(rewriter, op.getProducer(), one.thenYield());

    b.setInsertionPointToStart(roles.elseBlock());
    NVVM::SetMaxRegisterOp::create(b, op.getConsumerRegisters(),
                                   NVVM::SetMaxRegisterAction::increase);
    inlineRole(rewriter, op.getConsumer(), roles.elseYield());
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void inlineRole(ConversionPatternRewriter &rewriter, Region &role,
                         Operation *before) {
    Operation *yield = role.front().getTerminator();
    rewriter.inlineBlockBefore(&role.front(), before);
    rewriter.eraseOp(yield);
  }

  const KernelPlan &plan;
};

struct TurnWaitLowering : OpConversionPattern<TurnWaitOp> {
  TurnWaitLowering(const TypeConverter &converter, MLIRContext *context,
                   const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(TurnWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    if (plan.hasTurns())
      emitTurnBarrier(b, plan, "bar.sync", getConsumer(b, rewriter, plan));
    rewriter.eraseOp(op);
    return success();
  }

  const KernelPlan &plan;
};

struct TurnPassLowering : OpConversionPattern<TurnPassOp> {
  TurnPassLowering(const TypeConverter &converter, MLIRContext *context,
                   const KernelPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(TurnPassOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVMBuilder b(op.getLoc(), rewriter);
    if (plan.hasTurns()) {
      Value consumer = getConsumer(b, rewriter, plan);
      Value isLast = b.cmp(Predicate::eq, consumer, plan.getConsumers() - 1);
      Value first = b.i32(0), next = b.add(consumer, 1);
      next = arith::SelectOp::create(b, isLast, first, next);
      emitTurnBarrier(b, plan, "bar.arrive", next);
    }
    rewriter.eraseOp(op);
    return success();
  }

  const KernelPlan &plan;
};
} // namespace

void attn::emitTurnSetup(NVVMBuilder &b, const KernelPlan &plan) {
  if (!plan.hasTurns())
    return;
  // As if the last consumer had had a turn.
  int64_t last = plan.getConsumers() - 1 + (plan.hasProducer() ? 1 : 0);
  Value group = b.divU(b.getThread(), AttnGPUDialect::kWarpgroupThreads);
  auto branch = scf::IfOp::create(b, b.cmp(Predicate::eq, group, last),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitTurnBarrier(b, plan, "bar.arrive", b.i32(0));
}

void attn::populateRolePatterns(const TypeConverter &converter,
                                const KernelPlan &plan,
                                RewritePatternSet &patterns) {
  patterns.add<WarpgroupIndexLowering, WarpSpecializeLowering, TurnWaitLowering,
               TurnPassLowering>(converter, patterns.getContext(), plan);
}
