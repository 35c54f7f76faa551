//===- HostEntryTest.cpp - Calls to compiled entries ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles functions through the three passes and calls them as C does:
// results, strides, scalars, and refusals with their texts.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Arguments.h"
#include "attn-rt/Cpu.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Target/CPU/Pipelines.h"
#include "attn/Target/Object/JITProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;

namespace {

std::unique_ptr<JITProgram> compile(StringRef text, StringRef cpu = "host") {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return nullptr;
  PassManager pm(&context);
  pm.addPass(createInferHostSignaturePass());
  pm.addPass(createBindHostMemoryPass());
  EmitHostEntryPassOptions options;
  options.cpu = cpu.str();
  pm.addPass(createEmitHostEntryPass(options));
  buildCPUToLLVMPipeline(pm, CPUToLLVMOptions());
  if (failed(pm.run(*module)))
    return nullptr;
  JITProgram::Symbols symbols;
  symbols["attn_rt_bind_arguments"] =
      reinterpret_cast<void *>(&attn_rt_bind_arguments);
  ObjectOptions object;
  object.cpu = "host";
  auto program = JITProgram::compile(*module, object, symbols);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return nullptr;
  }
  return std::move(*program);
}

template <typename Function>
Function *lookup(JITProgram &program, StringRef name) {
  llvm::Expected<Function *> function = program.lookup<Function>(name);
  if (!function) {
    ADD_FAILURE() << llvm::toString(function.takeError());
    return nullptr;
  }
  return *function;
}

struct Tensor {
  std::vector<int64_t> shape, strides;
  AttnRtTensor dl = {};

  Tensor(float *data, std::vector<int64_t> extents,
         std::vector<int64_t> steps = {})
      : shape(std::move(extents)), strides(std::move(steps)) {
    dl.data = data;
    dl.device.device_type = ATTN_RT_DEVICE_CPU;
    dl.dtype = {ATTN_RT_TYPE_FLOAT, 32, 1};
    dl.ndim = static_cast<int32_t>(shape.size());
    dl.shape = shape.data();
    dl.strides = strides.empty() ? nullptr : strides.data();
  }
};

// out = a * factor + b, and how many rows there are.
constexpr const char *kProgram = R"mlir(
#id = affine_map<(i, j) -> (i, j)>
func.func @scale_add(
    %a: tensor<?x?xf32> {attn.name = "a", attn.dims = ["M", "N"]},
    %factor: f32,
    %b: tensor<?x?xf32> {attn.name = "b", attn.dims = ["M", "N"]},
    %start: index) -> (tensor<?x?xf32>, tensor<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %out = linalg.generic {indexing_maps = [#id, #id, #id],
                         iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%empty : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %p = arith.mulf %x, %factor : f32
    %s = arith.addf %p, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %last = arith.addi %start, %m : index
  %rows = arith.index_cast %last : index to i64
  %count = tensor.from_elements %rows : tensor<i64>
  return %out, %count : tensor<?x?xf32>, tensor<i64>
}
)mlir";

using ScaleAdd = int32_t(const AttnRtTensor *, float, const AttnRtTensor *,
                         int64_t, const AttnRtTensor *, const AttnRtTensor *);

} // namespace

TEST(HostEntry, ComputesOnTheCallersMemory) {
  auto program = compile(kProgram);
  ASSERT_TRUE(program);
  auto *function = lookup<ScaleAdd>(*program, "scale_add");
  ASSERT_TRUE(function);
  // a is read backwards, b has one row for all, out has gaps.
  float a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30}, out[10];
  std::fill(std::begin(out), std::end(out), -1);
  int64_t count = 0;
  Tensor tensorA(a + 3, {2, 3}, {-3, 1}), tensorB(b, {2, 3}, {0, 1});
  Tensor tensorOut(out + 1, {2, 3}, {5, 1});
  Tensor tensorCount(reinterpret_cast<float *>(&count), {});
  tensorCount.dl.dtype = {ATTN_RT_TYPE_INT, 64, 1};
  ASSERT_EQ(function(&tensorA.dl, 2.0f, &tensorB.dl, 100, &tensorOut.dl,
                     &tensorCount.dl),
            ATTN_RT_OK)
      << attn_rt_last_error();
  const float expected[] = {-1, 18, 30, 42, -1, -1, 12, 24, 36, -1};
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(out[i], expected[i]) << i;
  EXPECT_EQ(count, 102);
}

TEST(HostEntry, AcceptsEmptyTensors) {
  auto program = compile(kProgram);
  ASSERT_TRUE(program);
  auto *function = lookup<ScaleAdd>(*program, "scale_add");
  ASSERT_TRUE(function);
  int64_t count = 0;
  Tensor a(nullptr, {0, 3}), b(nullptr, {0, 3}), out(nullptr, {0, 3});
  Tensor tensorCount(reinterpret_cast<float *>(&count), {});
  tensorCount.dl.dtype = {ATTN_RT_TYPE_INT, 64, 1};
  EXPECT_EQ(function(&a.dl, 2.0f, &b.dl, 7, &out.dl, &tensorCount.dl),
            ATTN_RT_OK)
      << attn_rt_last_error();
  EXPECT_EQ(count, 7);
}

TEST(HostEntry, RefusesWithAllReasonsAndComputesNothing) {
  auto program = compile(kProgram);
  ASSERT_TRUE(program);
  auto *function = lookup<ScaleAdd>(*program, "scale_add");
  ASSERT_TRUE(function);
  float a[6] = {}, b[8] = {}, out[6] = {7, 7, 7, 7, 7, 7};
  Tensor tensorA(a, {2, 3}), tensorB(b, {2, 4}), tensorOut(out, {2, 3});
  EXPECT_EQ(function(&tensorA.dl, 2.0f, &tensorB.dl, 0, &tensorOut.dl, nullptr),
            ATTN_RT_INVALID_VALUE);
  EXPECT_STREQ(attn_rt_last_error(),
               "function 'scale_add':\n"
               "  argument 'out1': expected a tensor, got a null pointer\n"
               "  argument 'b': extent 1 (N) expected 3 as in argument 'a', "
               "got 4");
  EXPECT_EQ(out[0], 7);
}

TEST(HostEntry, RefusesAnotherCpu) {
  // FMA4 came and went with one family of AMD CPUs. The code itself is for the
  // host; the entry must not get as far as that.
  if (attn_rt_cpu_features() & ATTN_RT_CPU_FMA4)
    GTEST_SKIP() << "this machine has FMA4";
  auto program = compile(kProgram, "bdver2");
  ASSERT_TRUE(program);
  auto *function = lookup<ScaleAdd>(*program, "scale_add");
  ASSERT_TRUE(function);
  float data[6] = {}, out[6] = {};
  Tensor tensor(data, {2, 3}), tensorOut(out, {2, 3});
  int32_t status =
      function(&tensor.dl, 1, &tensor.dl, 0, &tensorOut.dl, nullptr);
  EXPECT_EQ(status, ATTN_RT_UNSUPPORTED_CPU);
  EXPECT_NE(std::string(attn_rt_last_error()).find("compiled for a CPU with"),
            std::string::npos);
  EXPECT_NE(std::string(attn_rt_last_error()).find("fma4"), std::string::npos);
}
