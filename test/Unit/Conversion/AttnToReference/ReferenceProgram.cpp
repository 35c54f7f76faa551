//===- ReferenceProgram.cpp - Runs what the reference lowers to -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilation by upstream's passes and execution engine, and arrays.
//
//===----------------------------------------------------------------------===//

#include "ReferenceProgram.h"
#include "attn/Conversion/HostABI/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/TargetSelect.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::test;

static const llvm::fltSemantics &semantics(Kind kind) {
  switch (kind) {
  case Kind::F64:
    return APFloat::IEEEdouble();
  case Kind::F32:
    return APFloat::IEEEsingle();
  case Kind::BF16:
    return APFloat::BFloat();
  default:
    return APFloat::IEEEhalf();
  }
}

Array::Array(Kind kind, std::vector<int64_t> shape, std::vector<int64_t> given,
             int64_t offset)
    : kind(kind), extents(std::move(shape)), strides(std::move(given)),
      offset(offset) {
  if (strides.empty()) {
    strides.resize(extents.size());
    int64_t size = 1;
    for (size_t n = extents.size(); n-- > 0; size *= extents[n])
      strides[n] = size;
  }
  int64_t elements = offset + 1;
  for (auto [extent, stride] : llvm::zip_equal(extents, strides))
    elements += std::max<int64_t>(extent, 1) * stride;
  storage.assign(elements * elementSize(), kind == Kind::I32 ? '\xff' : '\0');
  if (kind == Kind::I32)
    return;
  uint64_t nan =
      APFloat::getNaN(semantics(kind)).bitcastToAPInt().getZExtValue();
  for (int64_t n = 0; n < elements; ++n)
    memcpy(&storage[n * elementSize()], &nan, elementSize());
}

int64_t Array::elementSize() const {
  if (kind == Kind::F64)
    return 8;
  return kind == Kind::F32 || kind == Kind::I32 ? 4 : 2;
}

char *Array::address(ArrayRef<int64_t> at) const {
  int64_t place = offset;
  for (auto [n, index] : llvm::enumerate(at)) {
    assert(index >= 0 && index < extents[n] && "index out of bounds");
    place += index * strides[n];
  }
  return const_cast<char *>(storage.data()) + place * elementSize();
}

double Array::get(ArrayRef<int64_t> at) const {
  if (kind == Kind::I32) {
    int32_t value;
    memcpy(&value, address(at), 4);
    return value;
  }
  uint64_t bits = 0;
  memcpy(&bits, address(at), elementSize());
  APFloat value(semantics(kind), APInt(elementSize() * 8, bits));
  bool loses;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

double Array::set(ArrayRef<int64_t> at, double number) {
  if (kind == Kind::I32) {
    int32_t value = static_cast<int32_t>(number);
    memcpy(address(at), &value, 4);
    return value;
  }
  APFloat value(number);
  bool loses;
  value.convert(semantics(kind), APFloat::rmNearestTiesToEven, &loses);
  uint64_t bits = value.bitcastToAPInt().getZExtValue();
  memcpy(address(at), &bits, elementSize());
  return get(at);
}

void Array::fill(ArrayRef<double> values) {
  size_t n = 0;
  forEach(extents, [&](ArrayRef<int64_t> at) { set(at, values[n++]); });
  EXPECT_EQ(n, values.size());
}

std::vector<double> Array::values() const {
  std::vector<double> all;
  forEach(extents, [&](ArrayRef<int64_t> at) { all.push_back(get(at)); });
  return all;
}

std::vector<int64_t> Array::descriptor() {
  // As the entry hands them over: at the first element, without an offset.
  auto pointer =
      reinterpret_cast<int64_t>(storage.data() + offset * elementSize());
  std::vector<int64_t> words = {pointer, pointer, 0};
  llvm::append_range(words, extents);
  llvm::append_range(words, strides);
  return words;
}

void Array::forEach(ArrayRef<int64_t> shape,
                    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  std::vector<int64_t> at(shape.size(), 0);
  while (true) {
    visit(at);
    size_t n = shape.size();
    while (n > 0 && ++at[n - 1] == shape[n - 1])
      at[--n] = 0;
    if (n == 0)
      return;
  }
}

/// What follows the reference once its memory is bound: upstream's passes down
/// to the LLVM dialect.
static constexpr const char *kPipeline =
    "builtin.module("
    "one-shot-bufferize,buffer-deallocation-pipeline,"
    "func.func(llvm-request-c-wrappers),expand-strided-metadata,"
    "arith-expand{include-bf16=true},convert-scf-to-cf,lower-affine,convert-"
    "vector-to-llvm,"
    "finalize-memref-to-llvm,convert-math-to-llvm,convert-math-to-libm,"
    "convert-arith-to-llvm,convert-index-to-llvm,convert-cf-to-llvm,"
    "convert-func-to-llvm,reconcile-unrealized-casts)";

static void registerOnce() {
  static bool done = [] {
    registerAllPasses();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

std::unique_ptr<ReferenceProgram>
ReferenceProgram::compile(const std::string &text,
                          ReferencePrecision precision) {
  registerOnce();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registry.insert<AttnDialect>();
  auto program = std::make_unique<ReferenceProgram>();
  program->context.appendDialectRegistry(registry);
  program->context.loadAllAvailableDialects();

  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &program->context);
  PassManager lower(&program->context);
  lower.addPass(createInferHostSignaturePass());
  AttnToReferencePassOptions reference;
  reference.precision = precision;
  lower.addPass(createAttnToReferencePass(reference));
  lower.addPass(createBindHostMemoryPass());
  if (!module || failed(lower.run(*module))) {
    ADD_FAILURE() << "not lowered: " << text;
    return nullptr;
  }
  // No entry is made here: the implementation itself is called.
  module->lookupSymbol<func::FuncOp>("f_impl").setPublic();
  FailureOr<OpPassManager> pipeline = parsePassPipeline(kPipeline);
  PassManager passes(&program->context);
  if (succeeded(pipeline))
    static_cast<OpPassManager &>(passes) = std::move(*pipeline);
  if (failed(pipeline) || failed(passes.run(*module))) {
    ADD_FAILURE() << "upstream's passes failed";
    return nullptr;
  }
  ExecutionEngineOptions options;
  auto optimise = makeOptimizingTransformer(3, 0, nullptr);
  options.transformer = optimise;
  // Copies between buffers of any strides are calls of its memrefCopy.
  StringRef libraries[] = {ATTN_MLIR_RUNNER_UTILS};
  options.sharedLibPaths = libraries;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  auto engine = ExecutionEngine::create(*module, options);
  if (!engine) {
    ADD_FAILURE() << llvm::toString(engine.takeError());
    return nullptr;
  }
  program->engine = std::move(*engine);
  return program;
}

void ReferenceProgram::run(const std::vector<Array *> &inputs,
                           std::vector<float> scalars,
                           const std::vector<Array *> &outputs) {
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> pointers, args;
  for (const std::vector<Array *> *arrays : {&inputs, &outputs})
    for (Array *array : *arrays)
      descriptors.push_back(array->descriptor());
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  for (size_t n = 0; n < pointers.size(); ++n) {
    if (n == inputs.size())
      for (float &scalar : scalars)
        args.push_back(&scalar);
    args.push_back(&pointers[n]);
  }
  if (llvm::Error error = engine->invokePacked("_mlir_ciface_f_impl", args))
    ADD_FAILURE() << llvm::toString(std::move(error));
}
