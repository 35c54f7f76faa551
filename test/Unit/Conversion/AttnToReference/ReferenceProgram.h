//===- ReferenceProgram.h - Runs what the reference lowers to ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers attention by the reference and upstream's passes, compiles it in
// memory, and runs it on arrays with any strides.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_CONVERSION_ATTNTOREFERENCE_REFERENCEPROGRAM_H
#define ATTN_TEST_UNIT_CONVERSION_ATTNTOREFERENCE_REFERENCEPROGRAM_H

#include "attn/Conversion/AttnToReference/AttnToReference.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

namespace mlir::attn::test {

enum class Kind { F64, F32, BF16, F16, I32 };

/// An array of any element kind and strides (in elements). Elements outside of
/// the logical array, and all of a fresh one, hold NaN (of an i32: -1).
class Array {
public:
  Array(Kind kind, std::vector<int64_t> shape,
        std::vector<int64_t> strides = {}, int64_t offset = 0);

  /// The element as a number; `set` rounds to nearest even and returns what the
  /// array now holds.
  double get(llvm::ArrayRef<int64_t> at) const;
  double set(llvm::ArrayRef<int64_t> at, double value);
  /// Sets all elements, row-major.
  void fill(llvm::ArrayRef<double> values);
  std::vector<double> values() const;

  const std::vector<int64_t> &shape() const { return extents; }
  /// The MLIR descriptor: pointers, offset, sizes, strides.
  std::vector<int64_t> descriptor();
  /// Calls `visit` with the indices of each element, row-major.
  static void forEach(llvm::ArrayRef<int64_t> shape,
                      llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

private:
  char *address(llvm::ArrayRef<int64_t> at) const;
  int64_t elementSize() const;

  Kind kind;
  std::vector<int64_t> extents, strides;
  int64_t offset;
  std::vector<char> storage;
};

class ReferenceProgram {
public:
  /// Compiles `text`. A failure is a failed test and gives a null program.
  static std::unique_ptr<ReferenceProgram>
  compile(const std::string &text, ReferencePrecision precision);

  /// Runs function `f`: input buffers, scalar f32 arguments, output buffers.
  void run(const std::vector<Array *> &inputs, std::vector<float> scalars,
           const std::vector<Array *> &outputs);

private:
  MLIRContext context;
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::attn::test

#endif // ATTN_TEST_UNIT_CONVERSION_ATTNTOREFERENCE_REFERENCEPROGRAM_H
