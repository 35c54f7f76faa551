//===- Programs.cpp - Programs, tensors and results -----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the simulator's tests have in common.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "attn/InitAllDialects.h"
#include "attn/InitAllPasses.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static DialectRegistry &getRegistry() {
  static DialectRegistry registry;
  static bool isFilled = [] {
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    attn::registerAllDialects(registry);
    attn::registerAllPasses();
    attn::registerAllPipelines();
    mlir::registerTransformsPasses();
    registerPass([] { return createLowerAffinePass(); });
    return true;
  }();
  (void)isFilled;
  return registry;
}

Program::Program(StringRef text, StringRef pipeline)
    : context(getRegistry(), MLIRContext::Threading::DISABLED) {
  module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    llvm::report_fatal_error("the program does not parse");
  if (pipeline.empty())
    return;
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline);
  if (failed(parsed))
    llvm::report_fatal_error("the pipeline does not parse");
  PassManager passes(&context);
  static_cast<OpPassManager &>(passes) = std::move(*parsed);
  if (failed(passes.run(*module)))
    llvm::report_fatal_error("a pass fails");
}

std::string sim::format(ArrayRef<Fault> faults) {
  std::string text;
  for (const Fault &fault : faults)
    text += fault.str() + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

StringRef sim::getName(Element element) {
  switch (element) {
  case Element::F32:
    return "f32";
  case Element::BF16:
    return "bf16";
  case Element::F16:
    return "f16";
  }
  llvm_unreachable("unknown element");
}

static const llvm::fltSemantics &getSemantics(Element element) {
  if (element == Element::F32)
    return llvm::APFloat::IEEEsingle();
  return element == Element::BF16 ? llvm::APFloat::BFloat()
                                  : llvm::APFloat::IEEEhalf();
}

static int64_t getBytes(Element element) {
  return element == Element::F32 ? 4 : 2;
}

static int64_t count(ArrayRef<int64_t> shape) {
  int64_t number = 1;
  for (int64_t extent : shape)
    number *= extent;
  return number;
}

HostTensor::HostTensor(Element element, ArrayRef<int64_t> shape)
    : element(element), shape(shape),
      memory(count(shape) * getBytes(element), std::byte(0xFF)) {}

HostTensor::HostTensor(Element element, ArrayRef<int64_t> shape,
                       ArrayRef<double> values)
    : HostTensor(element, shape) {
  std::byte *at = memory.data();
  for (double value : values) {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(getSemantics(element), llvm::APFloat::rmNearestTiesToEven,
                   &losesInfo);
    uint64_t bits = number.bitcastToAPInt().getZExtValue();
    std::memcpy(at, &bits, getBytes(element));
    at += getBytes(element);
  }
}

static std::vector<double> decode(Element element, const std::byte *data,
                                  int64_t number) {
  std::vector<double> values;
  for (int64_t i = 0; i < number; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, data + i * getBytes(element), getBytes(element));
    llvm::APFloat value(getSemantics(element),
                        llvm::APInt(8 * getBytes(element), bits));
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    values.push_back(value.convertToDouble());
  }
  return values;
}

std::vector<double> HostTensor::getValues() const {
  return decode(element, memory.data(), count(shape));
}

Tensor HostTensor::getTensor() {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return {memory.data(), shape, strides};
}

std::vector<double> sim::getValues(const HostResult &result) {
  Element element = result.elementType.isF32()    ? Element::F32
                    : result.elementType.isBF16() ? Element::BF16
                                                  : Element::F16;
  return decode(element, static_cast<std::byte *>(result.tensor.data),
                count(result.tensor.shape));
}

std::vector<double> sim::makeNormal(std::mt19937 &random, int64_t count) {
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double &value : values)
    value = normal(random);
  return values;
}

std::vector<double> sim::makeIntegers(std::mt19937 &random, int64_t count,
                                      int64_t most) {
  std::uniform_int_distribution<int64_t> uniform(-most, most);
  std::vector<double> values(count);
  for (double &value : values)
    value = static_cast<double>(uniform(random));
  return values;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static constexpr int64_t kWindowRight = 20;

static int64_t getWindowLeft(Mask mask) {
  return mask == Mask::WideWindow ? 250 : 100;
}

std::string sim::getAttention(Element element, int64_t extent, Mask mask) {
  std::string t =
      llvm::formatv("tensor<?x?x?x{0}x{1}>", extent, getName(element));
  std::string l = "tensor<?x?x?xf32>", m;
  if (mask == Mask::Causal)
    m = " mask(#attn.causal)";
  else if (mask != Mask::Full)
    m = llvm::formatv(" mask(#attn.window<left = {0}, right = {1}>)",
                      getWindowLeft(mask), kWindowRight);
  return llvm::formatv(
      "func.func @f(%q: {0}, %k: {0}, %v: {0}) -> ({0}, {1}) {{\n"
      "  %out, %lse = attn.attention %q, %k, %v{2} : {0}, {0}, {0} -> {0}, "
      "{1}\n"
      "  return %out, %lse : {0}, {1}\n}",
      t, l, m);
}

std::string sim::getPipeline(int64_t queryTile, int64_t keyTile,
                             StringRef kernelPasses) {
  return llvm::formatv(
      "builtin.module(attn-to-iteration{{query-tile={0} key-tile={1}},"
      "convert-attn-to-attn-gpu,lower-affine,canonicalize,cse,"
      "attn_gpu.kernel({2}))",
      queryTile, keyTile, kernelPasses);
}

std::string sim::getKernelPasses(Stage last, int64_t stages, bool turns,
                                 int64_t cluster) {
  bool isPersistent = last > Stage::Split;
  std::string work, staged;
  if (isPersistent) {
    // Groups of few points, so that there are several.
    work = llvm::formatv(
        ",attn-gpu-schedule-work{{schedule={0} group-bytes=100000}"
        ",attn-gpu-form-clusters{{size={1}}",
        last == Stage::Strided ? "strided" : "dynamic", cluster);
    staged = ",attn-gpu-stage-writes";
  }
  std::string passes[] = {
      "canonicalize" + work,
      llvm::formatv("attn-gpu-async-copy{{stages={0}}", stages),
      "attn-gpu-pipeline,canonicalize,cse" + staged,
      llvm::formatv("attn-gpu-warp-specialize{{turns={0}},canonicalize,cse",
                    turns),
      "attn-gpu-split-loops"};
  size_t count = isPersistent ? std::size(passes) : size_t(last) + 1;
  return llvm::join(ArrayRef(passes).take_front(count), ",") +
         ",canonicalize,cse";
}

bool sim::isFlattened(attn_gpu::KernelOp kernel) {
  return kernel
      .walk([](attn_gpu::MmaOp product) {
        return product->getParentOfType<attn_gpu::WorkLoopOp>()
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

static bool isSeen(Mask mask, int64_t position, int64_t key) {
  switch (mask) {
  case Mask::Full:
    return true;
  case Mask::Causal:
    return key <= position;
  case Mask::Window:
  case Mask::WideWindow:
    return key >= position - getWindowLeft(mask) &&
           key <= position + kWindowRight;
  }
  llvm_unreachable("unknown mask");
}

AttentionResult sim::computeAttention(const AttentionShape &shape, Mask mask,
                                      Element element, ArrayRef<double> q,
                                      ArrayRef<double> k, ArrayRef<double> v) {
  AttentionResult result;
  double unit = element == Element::BF16 ? 0x1p-8 : 0x1p-11;
  int64_t extent = shape.extent, keys = shape.keys;
  double scale = 1 / std::sqrt(double(extent));
  std::vector<double> p(keys);
  for (int64_t row = 0, rows = shape.batches * shape.queryHeads * shape.queries;
       row < rows; ++row) {
    int64_t head = row / shape.queries; // Of all batches.
    int64_t keyHead = head / (shape.queryHeads / shape.keyHeads);
    int64_t position = row % shape.queries + keys - shape.queries;
    double most = -INFINITY, total = 0;
    for (int64_t j = 0; j < keys; ++j) {
      double score = 0;
      for (int64_t d = 0; d < extent; ++d)
        score += q[row * extent + d] * k[(keyHead * keys + j) * extent + d];
      p[j] = isSeen(mask, position, j) ? score * scale : -INFINITY;
      most = std::max(most, p[j]);
    }
    for (double &weight : p) {
      weight = std::isinf(weight) ? 0 : std::exp(weight - most);
      total += weight;
    }
    result.lse.push_back(total == 0 ? -INFINITY : most + std::log(total));
    for (int64_t d = 0; d < extent; ++d) {
      double out = 0, squares = 0, sizes = 0;
      for (int64_t j = 0; j < keys; ++j) {
        double weight = total == 0 ? 0 : p[j] / total;
        double part = weight * v[(keyHead * keys + j) * extent + d];
        out += part;
        squares += part * part;
        sizes += std::abs(part);
      }
      result.out.push_back(out);
      // Roundings of probabilities are independent: their sum is a root.
      result.slack.push_back(unit * std::abs(out) +
                             5 * unit * std::sqrt(squares) + 1e-4 * sizes +
                             1e-6);
    }
  }
  return result;
}
