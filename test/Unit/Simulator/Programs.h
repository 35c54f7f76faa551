//===- Programs.h - Programs, tensors and results ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses programs, runs passes on them, makes tensors, and says what attention
// is, in f64.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_SIMULATOR_PROGRAMS_H
#define ATTN_TEST_UNIT_SIMULATOR_PROGRAMS_H

#include "attn/Simulator/Simulator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <random>

namespace mlir::attn::sim {

/// A module and its context.
class Program {
public:
  /// Ends the process if `text` does not parse or a pass of `pipeline`, which
  /// may be empty, fails.
  explicit Program(StringRef text, StringRef pipeline = "");

  attn_gpu::KernelOp getKernel() {
    return *module->getOps<attn_gpu::KernelOp>().begin();
  }
  func::FuncOp getFunction() { return *module->getOps<func::FuncOp>().begin(); }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

enum class Element : uint8_t { F32, BF16, F16 };
StringRef getName(Element element);

/// A tensor without gaps, and its values as f32.
class HostTensor {
public:
  /// NaN everywhere.
  HostTensor(Element element, ArrayRef<int64_t> shape);
  /// Rounds `values`.
  HostTensor(Element element, ArrayRef<int64_t> shape, ArrayRef<double> values);

  Tensor getTensor();
  std::vector<double> getValues() const;
  ArrayRef<int64_t> getShape() const { return shape; }
  /// Makes all elements NaN.
  void poison() { llvm::fill(memory, std::byte(0xFF)); }

private:
  Element element;
  SmallVector<int64_t> shape;
  std::vector<std::byte> memory;
};

/// What stands in a function's result.
std::vector<double> getValues(const HostResult &result);

/// Standard normal, or integers from -`most` to `most`.
std::vector<double> makeNormal(std::mt19937 &random, int64_t count);
std::vector<double> makeIntegers(std::mt19937 &random, int64_t count,
                                 int64_t most);

/// The reports of all faults, one after the other.
std::string format(ArrayRef<Fault> faults);

/// A narrow window sees no key tile as a whole, a wide one does.
enum class Mask : uint8_t { Full, Causal, Window, WideWindow };

struct AttentionShape {
  int64_t batches, queryHeads, keyHeads, queries, keys, extent;
};

/// `func @f` with one attention, on tensors of unknown extents but the last.
std::string getAttention(Element element, int64_t extent, Mask mask);

/// From `attn.attention` to a kernel, by `kernelPasses` in the end.
std::string getPipeline(int64_t queryTile, int64_t keyTile,
                        StringRef kernelPasses);

/// How far the passes on kernels go; the last two are all of them, with
/// persistent work and staged writes.
enum class Stage : uint8_t {
  Synchronous,
  Copies,
  Pipeline,
  Roles,
  Split,
  Strided,
  Dynamic
};
inline constexpr Stage kStages[] = {
    Stage::Synchronous, Stage::Copies,  Stage::Pipeline, Stage::Roles,
    Stage::Split,       Stage::Strided, Stage::Dynamic};
/// `cluster`: thread blocks of one, if work is persistent.
std::string getKernelPasses(Stage last, int64_t stages = 2, bool turns = true,
                            int64_t cluster = 1);

/// Whether the last product of the last point stands behind the work loop.
bool isFlattened(attn_gpu::KernelOp kernel);

struct AttentionResult {
  /// By row: output, log-sum-exp, and by how much the output may be off if
  /// probabilities and results are rounded to 16 bits.
  std::vector<double> out, lse, slack;
};

/// Attention by definition on row-major q, k, v.
AttentionResult computeAttention(const AttentionShape &shape, Mask mask,
                                 Element element, ArrayRef<double> q,
                                 ArrayRef<double> k, ArrayRef<double> v);

} // namespace mlir::attn::sim

#endif // ATTN_TEST_UNIT_SIMULATOR_PROGRAMS_H
