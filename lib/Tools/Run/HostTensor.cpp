//===- HostTensor.cpp - Tensors in guarded host memory --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocates, poisons and walks host tensors. Layouts are in Layout.cpp.
//
//===----------------------------------------------------------------------===//

#include "attn/Tools/Run/HostTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir::attn::run;

/// Poison is all ones: a NaN in every floating type, and not the NaN that
/// arithmetic makes.
static constexpr unsigned char kPoison = 0xff;

/// Bytes of poison before and after the elements.
static constexpr int64_t kGuard = 4096;

/// A mapping without backing until it is touched.
struct HostTensor::Memory {
  Memory(std::byte *base, size_t size) : base(base), size(size) {}
  ~Memory() { munmap(base, size); }
  std::byte *base;
  size_t size;
};

std::string mlir::attn::run::formatShape(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }), "x");
}

int64_t HostTensor::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::byte *HostTensor::getAddress(llvm::ArrayRef<int64_t> index) const {
  int64_t offset = 0;
  for (auto [n, stride] : llvm::zip_equal(index, strides))
    offset += n * stride;
  return data + offset * getByteSize(type);
}

void HostTensor::forEach(
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, std::byte *)> visit)
    const {
  int64_t count = getNumElements(), bytes = getByteSize(type);
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  std::byte *address = data;
  for (int64_t n = 0; n < count; ++n) {
    visit(index, address);
    for (int64_t dim = getRank() - 1; dim >= 0; --dim) {
      address += strides[dim] * bytes;
      if (++index[dim] < shape[dim])
        break;
      address -= strides[dim] * shape[dim] * bytes;
      index[dim] = 0;
    }
  }
}

std::vector<double> HostTensor::toVector() const {
  std::vector<double> values;
  values.reserve(getNumElements());
  forEach([&](llvm::ArrayRef<int64_t>, std::byte *address) {
    values.push_back(load(type, address));
  });
  return values;
}

void HostTensor::poison(std::byte *address) const {
  std::memset(address, kPoison, getByteSize(type));
}

void HostTensor::poisonAll() const {
  for (const Extent &extent : extents)
    std::memset(extent.begin, kPoison, extent.end - extent.begin);
}

bool HostTensor::isPoison(const std::byte *address) const {
  for (int64_t n = 0, e = getByteSize(type); n < e; ++n)
    if (address[n] != std::byte(kPoison))
      return false;
  return true;
}

int64_t HostTensor::countOverwrites() const {
  // Take the elements out, look at what is left, put them back.
  int64_t bytes = getByteSize(type);
  std::vector<std::byte> saved;
  saved.reserve(getNumElements() * bytes);
  forEach([&](llvm::ArrayRef<int64_t>, std::byte *address) {
    saved.insert(saved.end(), address, address + bytes);
    poison(address);
  });
  int64_t count = 0;
  for (const Extent &extent : extents)
    count += llvm::count_if(
        llvm::make_range(extent.begin, extent.end),
        [](std::byte value) { return value != std::byte(kPoison); });
  const std::byte *source = saved.data();
  forEach([&](llvm::ArrayRef<int64_t>, std::byte *address) {
    std::memcpy(address, source, bytes);
    source += bytes;
  });
  return count;
}

uint64_t HostTensor::checksum() const {
  uint64_t hash = 0;
  for (const Extent &extent : extents)
    hash = hash * 31 + llvm::xxh3_64bits(llvm::ArrayRef(
                           reinterpret_cast<const uint8_t *>(extent.begin),
                           static_cast<size_t>(extent.end - extent.begin)));
  return hash;
}

/// Bits of the addresses that a program has on 64-bit machines, with room for
/// every layout.
static constexpr unsigned kAddressBits = 46;

/// Whether a tensor of this shape can be addressed at all. What is computed of
/// its shape does not overflow then.
static bool isAddressable(ElementType type, llvm::ArrayRef<int64_t> shape) {
  uint64_t bytes = getByteSize(type);
  bool overflows = false;
  for (int64_t extent : shape) {
    bool wraps = false;
    bytes = llvm::SaturatingMultiply<uint64_t>(
        bytes, std::max<int64_t>(extent, 1), &wraps);
    overflows |= wraps;
  }
  return !overflows && bytes < uint64_t(1) << kAddressBits;
}

/// Bytes of memory that the machine has.
static uint64_t getMemoryBytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

llvm::Expected<HostTensor> HostTensor::create(ElementType type,
                                              llvm::ArrayRef<int64_t> shape,
                                              Layout layout) {
  if (!isAddressable(type, shape))
    return llvm::createStringError("shape " + formatShape(shape) + " x " +
                                   getName(type) +
                                   " expected to take less than 2^" +
                                   llvm::Twine(kAddressBits) + " bytes");
  llvm::Expected<Placement> placement = place(layout, shape);
  if (!placement)
    return placement.takeError();
  HostTensor tensor;
  tensor.type = type;
  tensor.layout = layout;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.strides = placement->strides;

  int64_t bytes = getByteSize(type), span = placement->span * bytes;
  int64_t shift = placement->aligned ? 0 : bytes;
  size_t size = kGuard + shift + span + kGuard;
  void *base = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return llvm::createStringError("no memory for a tensor of shape " +
                                   formatShape(shape) + " x " + getName(type) +
                                   " (" + llvm::Twine(size) + " bytes)");
  tensor.memory =
      std::make_shared<Memory>(static_cast<std::byte *>(base), size);
  std::byte *lowest = tensor.memory->base + kGuard + shift;
  tensor.data = lowest + placement->origin * bytes;

  if (layout != Layout::Huge || span == 0) {
    tensor.extents.push_back({tensor.memory->base, tensor.memory->base + size});
  } else {
    // Poison only near elements, one extent per index of the dimension with
    // the largest stride: the gaps take no memory until they are touched.
    int64_t outer = 0, inner = 1;
    for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
      if (shape[dim] > 1 &&
          (shape[outer] <= 1 || tensor.strides[dim] > tensor.strides[outer]))
        outer = dim;
    for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
      if (dim != outer)
        inner += (shape[dim] - 1) * tensor.strides[dim];
    for (int64_t n = 0; n < shape[outer]; ++n) {
      std::byte *begin = tensor.data + n * tensor.strides[outer] * bytes;
      tensor.extents.push_back(
          {begin - kGuard, begin + inner * bytes + kGuard});
    }
  }
  // Poison makes memory of what was address space so far.
  uint64_t touched = 0;
  for (const Extent &extent : tensor.extents)
    touched += extent.end - extent.begin;
  if (uint64_t memory = getMemoryBytes(); touched > memory)
    return llvm::createStringError(
        "no memory for a tensor of shape " + formatShape(shape) + " x " +
        getName(type) + " (" + llvm::Twine(touched) +
        " bytes): this machine has " + llvm::Twine(memory));
  tensor.poisonAll();
  return tensor;
}
