//===- Compile.cpp - compile and call text --------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers of the tests that compile a module given as text and call it.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "attn/Target/CPU/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

/// Two threads, so that the outlined bodies really run at the same time.
static void parallelFor(void (*body)(void *, int64_t), void *context,
                        int64_t count) {
  std::atomic<int64_t> next{0};
  auto work = [&] {
    for (int64_t i = next++; i < count; i = next++)
      body(context, i);
  };
  std::thread other(work);
  work();
  other.join();
}

MLIRContext &mlir::attn::test::context() {
  static MLIRContext *context = [] {
    auto *result = new MLIRContext(MLIRContext::Threading::DISABLED);
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    result->appendDialectRegistry(registry);
    return result;
  }();
  return *context;
}

OwningOpRef<ModuleOp> mlir::attn::test::parse(llvm::StringRef text) {
  return parseSourceString<ModuleOp>(text.str(), &context());
}

std::string mlir::attn::test::readInput(llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile((ATTN_TEST_INPUTS "/" + name).str());
  return file ? (*file)->getBuffer().str() : "";
}

BuildPipeline mlir::attn::test::cpuPipeline(int64_t vectorBits, bool parallel) {
  return [=](OpPassManager &pm) {
    CPUToLLVMOptions options;
    options.vectorBits = vectorBits;
    options.parallel = parallel;
    buildCPUToLLVMPipeline(pm, options);
  };
}

BuildPipeline mlir::attn::test::scalarPipeline() {
  return [](OpPassManager &pm) {
    pm.addPass(createConvertLinalgToLoopsPass());
    pm.addPass(memref::createExpandStridedMetadataPass());
    pm.addPass(createLowerAffinePass());
    pm.addPass(createSCFToControlFlowPass());
    pm.addPass(createConvertMathToLLVMPass());
    pm.addPass(createFinalizeMemRefToLLVMConversionPass());
    pm.addPass(createArithToLLVMConversionPass());
    pm.addPass(createConvertControlFlowToLLVMPass());
    pm.addPass(createConvertFuncToLLVMPass());
    pm.addPass(createReconcileUnrealizedCastsPass());
  };
}

std::unique_ptr<JITProgram>
mlir::attn::test::compile(llvm::StringRef text, const BuildPipeline &pipeline) {
  OwningOpRef<ModuleOp> module = parse(text);
  if (!module) {
    ADD_FAILURE() << "the module does not parse";
    return nullptr;
  }
  PassManager pm(&context());
  pipeline(pm);
  if (failed(pm.run(*module))) {
    ADD_FAILURE() << "the pipeline failed";
    return nullptr;
  }
  ObjectOptions options;
  options.cpu = "host";
  auto program = JITProgram::compile(
      *module, options,
      {{"attn_rt_parallel_for", reinterpret_cast<void *>(parallelFor)}});
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return nullptr;
  }
  return std::move(*program);
}

static std::vector<int64_t> describe(const char *data,
                                     llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<int64_t> strides) {
  auto address = reinterpret_cast<int64_t>(data);
  std::vector<int64_t> words{address, address, 0};
  words.insert(words.end(), shape.begin(), shape.end());
  words.insert(words.end(), strides.begin(), strides.end());
  return words;
}

Buffer::Buffer(llvm::ArrayRef<int64_t> shape, int64_t elementBytes) {
  std::vector<int64_t> strides(shape.size());
  int64_t size = 1;
  for (int64_t d = shape.size() - 1; d >= 0; --d) {
    strides[d] = size;
    size *= shape[d];
  }
  bytes.resize(size * elementBytes);
  descriptor = describe(bytes.data(), shape, strides);
}

Buffer::Buffer(char *data, llvm::ArrayRef<int64_t> shape,
               llvm::ArrayRef<int64_t> strides)
    : descriptor(describe(data, shape, strides)) {}

void mlir::attn::test::call(JITProgram &program, llvm::StringRef name,
                            llvm::ArrayRef<void *> args) {
  auto address = program.lookup(("_mlir_ciface_" + name).str());
  if (!address) {
    ADD_FAILURE() << llvm::toString(address.takeError());
    return;
  }
  using P = void *;
  switch (args.size()) {
  case 1:
    return reinterpret_cast<void (*)(P)>(*address)(args[0]);
  case 2:
    return reinterpret_cast<void (*)(P, P)>(*address)(args[0], args[1]);
  case 3:
    return reinterpret_cast<void (*)(P, P, P)>(*address)(args[0], args[1],
                                                         args[2]);
  case 4:
    return reinterpret_cast<void (*)(P, P, P, P)>(*address)(args[0], args[1],
                                                            args[2], args[3]);
  case 5:
    return reinterpret_cast<void (*)(P, P, P, P, P)>(*address)(
        args[0], args[1], args[2], args[3], args[4]);
  default:
    ADD_FAILURE() << "no test has " << args.size() << " arguments";
  }
}
