//===- Datum.h - What values are while a program runs -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements in registers, tensors in memory, and references to what a thread
// block holds.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_DATUM_H
#define ATTN_LIB_SIMULATOR_DATUM_H

#include "mlir/IR/BuiltinTypes.h"
#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

namespace mlir::attn::sim {

/// A scalar, or the elements of a vector in row-major order. Floats of any type
/// are f32 numbers that the type can represent; integers are sign-extended,
/// i1 is 0 or 1.
struct Elements {
  std::vector<float> floats;
  std::vector<int64_t> ints;
};

/// Elements of a scalar or vector type.
int64_t getNumElements(Type type);
/// The type of a scalar or of a vector's elements.
Type getElementType(Type type);

/// The nearest number that `type` (f32, bf16, f16) can represent, ties to even.
float roundTo(Type type, float value);
void roundTo(Type type, std::vector<float> &values);
/// `value` as an integer of `type`, wrapped.
int64_t wrapTo(Type type, int64_t value);

/// A tensor in global memory.
struct TensorView {
  Type elementType;
  std::byte *data = nullptr;
  SmallVector<int64_t> shape, strides;
  /// Who has written each element in this launch, in row-major order of
  /// indices: 0 nobody, else a number of an agent.
  std::vector<int32_t> writers;
  /// What keeps the data alive, if it is the program's own.
  std::shared_ptr<void> memory;

  int64_t getNumElements() const;
  /// The row-major number of an element, -1 outside the tensor.
  int64_t getNumber(ArrayRef<int64_t> index) const;
  float load(ArrayRef<int64_t> index) const;
  void store(ArrayRef<int64_t> index, float value) const;

private:
  std::byte *getAddress(ArrayRef<int64_t> index) const;
};

/// Bytes of a tensor's element; 0 if it cannot stand in a tensor.
int64_t getByteSize(Type elementType);

struct Buffer;
struct Ring;
struct Product;

/// Rows of a tile, as they were when its buffer was filled for the
/// `generation`th time.
struct TileRef {
  Buffer *buffer;
  int64_t generation;
  int64_t firstRow;
};

using Datum = std::variant<std::monostate, std::shared_ptr<const Elements>,
                           std::shared_ptr<TensorView>, Ring *, TileRef,
                           std::shared_ptr<Product>>;

inline Datum makeDatum(Elements elements) {
  return std::make_shared<const Elements>(std::move(elements));
}
inline Datum makeInteger(int64_t value) {
  Elements one;
  one.ints.push_back(value);
  return makeDatum(std::move(one));
}

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_DATUM_H
