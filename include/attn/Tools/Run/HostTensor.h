//===- HostTensor.h - Tensors in guarded host memory ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors with any strides, in memory that is poisoned wherever no element of
// the tensor lies, so that a program that reads beside its input computes NaN
// and one that writes beside its output is caught.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_RUN_HOSTTENSOR_H
#define ATTN_TOOLS_RUN_HOSTTENSOR_H

#include "attn/Tools/Run/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace mlir::attn::run {

/// How a tensor lies in memory. The last dimension always has unit stride.
enum class Layout : uint8_t {
  /// Row-major without gaps.
  Dense,
  /// The two dimensions before the last are swapped in memory: [B,H,S,D] stands
  /// as [B,S,H,D], as projections produce it.
  Swapped,
  /// Every stride odd, the data aligned to one element and no more.
  Padded,
  /// Stride 0 along the first dimension. Inputs only.
  BroadcastBatch,
  /// Stride 0 along the second dimension. Inputs only.
  BroadcastHeads,
  /// A negative stride along the dimension before the last. Inputs only.
  Reversed,
  /// A stride above 2^31 elements along the outermost dimension that has more
  /// than one index. Takes address space, not memory.
  Huge
};

llvm::StringRef getName(Layout layout);
/// The layout called `name`; an error that lists all names otherwise.
llvm::Expected<Layout> parseLayout(llvm::StringRef name);

/// Where the elements of a tensor lie, in elements.
struct Placement {
  llvm::SmallVector<int64_t> strides;
  /// From the lowest address used to the element of index 0.
  int64_t origin = 0;
  /// Elements from the lowest address used to the highest, both included; 0
  /// for a tensor without elements.
  int64_t span = 0;
  /// Whether the data may be aligned to more than one element.
  bool aligned = true;
};

/// Places a tensor of `shape`. Fails when the layout needs a rank that it has
/// not got.
llvm::Expected<Placement> place(Layout layout, llvm::ArrayRef<int64_t> shape);

class HostTensor {
public:
  HostTensor() = default;

  /// A tensor all of whose memory is poisoned. Fails when the layout does not
  /// fit the shape or memory cannot be had.
  static llvm::Expected<HostTensor> create(ElementType type,
                                           llvm::ArrayRef<int64_t> shape,
                                           Layout layout = Layout::Dense);

  ElementType getType() const { return type; }
  Layout getLayout() const { return layout; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  /// In elements.
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const;

  /// The element of index 0, ..., 0.
  std::byte *getData() const { return data; }

  /// The address of the element at `index`.
  std::byte *getAddress(llvm::ArrayRef<int64_t> index) const;

  double get(llvm::ArrayRef<int64_t> index) const {
    return load(type, getAddress(index));
  }
  void set(llvm::ArrayRef<int64_t> index, double value) const {
    store(type, getAddress(index), value);
  }

  /// Calls `visit(index, address)` for every element in row-major order.
  void forEach(llvm::function_ref<void(llvm::ArrayRef<int64_t>, std::byte *)>
                   visit) const;

  /// All elements in row-major order.
  std::vector<double> toVector() const;

  /// Poisons the memory of one element.
  void poison(std::byte *address) const;
  /// Poisons all memory, elements included.
  void poisonAll() const;
  /// Whether the element at `address` holds the poison. Arithmetic makes no
  /// such NaN of its own.
  bool isPoison(const std::byte *address) const;

  /// The number of bytes outside the elements that no longer hold the poison.
  int64_t countOverwrites() const;

  /// A hash of all memory, elements and poison.
  uint64_t checksum() const;

private:
  struct Memory;
  struct Extent {
    std::byte *begin;
    std::byte *end;
  };

  ElementType type = ElementType::F32;
  Layout layout = Layout::Dense;
  llvm::SmallVector<int64_t> shape, strides;
  std::byte *data = nullptr;
  std::shared_ptr<Memory> memory;
  /// The parts of `memory` that hold elements, with the guards around them;
  /// disjoint.
  std::vector<Extent> extents;
};

/// `1x32x2048x128`, or `scalar` for rank 0.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace mlir::attn::run

#endif // ATTN_TOOLS_RUN_HOSTTENSOR_H
