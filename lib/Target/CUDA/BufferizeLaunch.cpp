//===- BufferizeLaunch.cpp - Launches on memory ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How one-shot bufferization takes a launch on tensors to one on memrefs.
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Target/CUDA/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::bufferization;

namespace {
struct LaunchModel
    : DstBufferizableOpInterfaceExternalModel<LaunchModel, LaunchOp> {
  // NOLINTBEGIN(bugprone-derived-method-shadowing-base-method): how external
  // models are written.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    // A kernel writes every element of its outputs.
    return !cast<LaunchOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto launch = cast<LaunchOp>(op);
    rewriter.setInsertionPoint(launch);
    auto take = [&](ValueRange values, SmallVectorImpl<Value> &taken) {
      for (Value value : values) {
        if (!isa<TensorType>(value.getType())) {
          taken.push_back(value);
          continue;
        }
        FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return failure();
        taken.push_back(*buffer);
      }
      return success();
    };
    SmallVector<Value> inputs, outputs;
    if (failed(take(launch.getInputs(), inputs)) ||
        failed(take(launch.getOutputs(), outputs)))
      return failure();
    LaunchOp::create(rewriter, launch.getLoc(), TypeRange(),
                     launch.getKernelAttr(), launch.getBlocks(), inputs,
                     outputs);
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
  // NOLINTEND(bugprone-derived-method-shadowing-base-method)
};
} // namespace

void attn::registerLaunchBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AttnGPUDialect *) {
    LaunchOp::attachInterface<LaunchModel>(*context);
    context->getOrLoadDialect<BufferizationDialect>();
  });
}
