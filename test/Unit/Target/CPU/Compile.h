//===- Compile.h - compile and call text ------------------------*- C++ -*-===//
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

#ifndef ATTN_TEST_UNIT_TARGET_CPU_COMPILE_H
#define ATTN_TEST_UNIT_TARGET_CPU_COMPILE_H

#include "attn/Target/Object/JITProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <string>
#include <vector>

namespace mlir::attn::test {

/// A context with every dialect and extension that the pipelines need.
MLIRContext &context();

OwningOpRef<ModuleOp> parse(llvm::StringRef text);
std::string readInput(llvm::StringRef name);

using BuildPipeline = std::function<void(OpPassManager &)>;

/// The whole CPU pipeline.
BuildPipeline cpuPipeline(int64_t vectorBits, bool parallel = true);

/// Upstream's scalar loops, as a second opinion.
BuildPipeline scalarPipeline();

/// Compiles `text` for the machine that runs the test; null, with the test
/// failed, if that is impossible.
std::unique_ptr<JITProgram> compile(llvm::StringRef text,
                                    const BuildPipeline &pipeline);

/// A buffer of a static shape, row-major, and its descriptor.
struct Buffer {
  Buffer(llvm::ArrayRef<int64_t> shape, int64_t elementBytes);
  /// The same bytes under other sizes and strides, in elements.
  Buffer(char *data, llvm::ArrayRef<int64_t> shape,
         llvm::ArrayRef<int64_t> strides);
  Buffer(const Buffer &) = delete;
  Buffer(Buffer &&) = default;

  template <typename T>
  T *data() {
    return reinterpret_cast<T *>(descriptor[0]);
  }
  void *get() { return descriptor.data(); }

  std::vector<char> bytes;
  std::vector<int64_t> descriptor;
};

/// Calls the C interface of the function `name` with descriptors.
void call(JITProgram &program, llvm::StringRef name,
          llvm::ArrayRef<void *> descriptors);

/// Reproducible numbers in [-scale, scale).
struct Random {
  uint32_t state;
  float next(float scale) {
    state = state * 1664525u + 1013904223u;
    return (float(state >> 8) / 16777216.0f - 0.5f) * 2.0f * scale;
  }
};

inline uint16_t toBF16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  bits += 0x7fff + ((bits >> 16) & 1);
  return bits >> 16;
}

inline float fromBF16(uint16_t value) {
  uint32_t bits = uint32_t(value) << 16;
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

} // namespace mlir::attn::test

#endif // ATTN_TEST_UNIT_TARGET_CPU_COMPILE_H
