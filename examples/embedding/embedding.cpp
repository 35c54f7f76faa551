//===- embedding.cpp - attention inside another compiler ------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small compiler whose programs call a function `sdpa`. A pass of its own
// raises the calls to attn.attention; the passes of attn-mlir do the rest. It
// then runs the program on one input and compares with attention by definition.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Arguments.h"
#include "attn-rt/Parallel.h"
#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Object/JITProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace mlir;

// Lengths are open, so one compilation serves every length.
static constexpr llvm::StringLiteral kProgram = R"mlir(
  func.func private @sdpa(tensor<1x4x?x16xf32>, tensor<1x2x?x16xf32>,
                          tensor<1x2x?x16xf32>) -> tensor<1x4x?x16xf32>

  func.func @layer(%q: tensor<1x4x?x16xf32>, %k: tensor<1x2x?x16xf32>,
                   %v: tensor<1x2x?x16xf32>) -> tensor<1x4x?x16xf32> {
    %out = call @sdpa(%q, %k, %v) : (tensor<1x4x?x16xf32>,
        tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) -> tensor<1x4x?x16xf32>
    return %out : tensor<1x4x?x16xf32>
  }
)mlir";

namespace {
/// This compiler's own pass: `sdpa(q, k, v)` is causal attention.
struct RaiseCalls : PassWrapper<RaiseCalls, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RaiseCalls)

  StringRef getArgument() const final { return "raise-sdpa-calls"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<attn::AttnDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([](func::CallOp call) {
      if (call.getCallee() != "sdpa")
        return;
      OpBuilder b(call);
      auto attention = attn::AttentionOp::create(
          b, call.getLoc(), call.getOperand(0), call.getOperand(1),
          call.getOperand(2), attn::CausalAttr::get(b.getContext()));
      call->replaceAllUsesWith(ValueRange(attention.getOut()));
      call->erase();
    });
  }
};

/// Four-dimensional f32 values, row-major.
struct Values {
  explicit Values(std::vector<int64_t> extents)
      : shape(std::move(extents)),
        data(shape[0] * shape[1] * shape[2] * shape[3]) {}

  float &at(int64_t h, int64_t i, int64_t d) {
    return data[(h * shape[2] + i) * shape[3] + d];
  }
  AttnRtTensor asTensor() {
    return {data.data(),
            {ATTN_RT_DEVICE_CPU, 0},
            4,
            {ATTN_RT_TYPE_FLOAT, 32, 1},
            shape.data(),
            /*strides=*/nullptr,
            /*byte_offset=*/0};
  }

  std::vector<int64_t> shape;
  std::vector<float> data;
};
} // namespace

/// Causal attention by its definition, in double.
static double attend(Values &q, Values &k, Values &v, int64_t h, int64_t i,
                     int64_t e) {
  int64_t keys = k.shape[2], group = q.shape[1] / k.shape[1];
  int64_t last = i + keys - q.shape[2];
  std::vector<double> scores;
  for (int64_t j = 0; j <= last; ++j) {
    double dot = 0;
    for (int64_t d = 0; d < q.shape[3]; ++d)
      dot += double(q.at(h, i, d)) * k.at(h / group, j, d);
    scores.push_back(dot / std::sqrt(double(q.shape[3])));
  }
  double max = *std::max_element(scores.begin(), scores.end());
  double sum = 0, out = 0;
  for (int64_t j = 0; j <= last; ++j) {
    double weight = std::exp(scores[j] - max);
    sum += weight;
    out += weight * v.at(h / group, j, e);
  }
  return out / sum;
}

int main() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<attn::AttnDialect>();
  MLIRContext context(registry);

  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kProgram, &context);
  if (!module)
    return 1;

  // Own passes first, then those of attn-mlir, in one pipeline.
  PassManager pm(&context);
  pm.addNestedPass<func::FuncOp>(std::make_unique<RaiseCalls>());
  pm.addPass(createSymbolDCEPass());
  attn::IterationOptions iteration; // tiles by the cost model
  attn::CPUOptions cpu;
  cpu.cpu = ""; // this machine: nothing to ask of it
  attn::ObjectOptions object;
  object.cpu = "host";
  FailureOr<int64_t> vectorBits = attn::getVectorBits(*module, object);
  if (failed(vectorBits))
    return 1;
  cpu.vectorBits = *vectorBits;
  attn::buildAttnToCPUPipeline(pm, iteration, cpu);
  if (failed(pm.run(*module)))
    return 1;

  attn::JITProgram::Symbols symbols;
  symbols["attn_rt_bind_arguments"] =
      reinterpret_cast<void *>(&attn_rt_bind_arguments);
  symbols["attn_rt_parallel_for"] =
      reinterpret_cast<void *>(&attn_rt_parallel_for);
  symbols["attn_rt_fail"] = reinterpret_cast<void *>(&attn_rt_fail);
  auto program = attn::JITProgram::compile(*module, object, symbols);
  if (!program) {
    std::fprintf(stderr, "%s\n", toString(program.takeError()).c_str());
    return 1;
  }
  using Entry =
      int32_t(AttnRtTensor *, AttnRtTensor *, AttnRtTensor *, AttnRtTensor *);
  auto layer = (*program)->lookup<Entry>("layer");
  if (!layer) {
    std::fprintf(stderr, "%s\n", toString(layer.takeError()).c_str());
    return 1;
  }

  Values q({1, 4, 37, 16}), k({1, 2, 50, 16}), v({1, 2, 50, 16}),
      out({1, 4, 37, 16});
  unsigned state = 1;
  for (Values *values : {&q, &k, &v})
    for (float &x : values->data)
      x = float((state = state * 1664525 + 1013904223) >> 8) / (1 << 23) - 1;
  AttnRtTensor tensors[] = {q.asTensor(), k.asTensor(), v.asTensor(),
                            out.asTensor()};
  if ((*layer)(&tensors[0], &tensors[1], &tensors[2], &tensors[3]) != 0) {
    std::fprintf(stderr, "layer: %s\n", attn_rt_last_error());
    return 1;
  }

  double error = 0;
  for (int64_t h = 0; h < 4; ++h)
    for (int64_t i = 0; i < 37; ++i)
      for (int64_t e = 0; e < 16; ++e)
        error = std::max(error,
                         std::abs(out.at(h, i, e) - attend(q, k, v, h, i, e)));
  std::printf("layer: 4 heads, 37 queries, 50 keys, largest error %.1e\n",
              error);
  // NaN is no less an error than a large number.
  return error < 1e-6 ? 0 : 1;
}
