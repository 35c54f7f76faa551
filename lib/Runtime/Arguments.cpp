//===- Arguments.cpp - Checking the arguments of a call -------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks every tensor of a call against the function's description and collects
// all reasons for a refusal. The memref descriptors double as scratch space for
// the normalised shapes, so nothing is allocated.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Arguments.h"

#include "attn-rt/Cpu.h"

#include "ArgumentText.h"
#include "Binder.h"
#include "ErrorText.h"
#include "Overlap.h"

using namespace attn::rt;

namespace {

/// Where the extent of a symbol was first seen.
struct Binding {
  int64_t extent;
  int32_t argument; // -1: not seen
  int32_t dim;
};

/// One memref descriptor: {allocated, aligned, offset, sizes[], strides[]}.
struct Descriptor {
  void **pointers;
  int64_t *offset, *sizes, *strides;

  Descriptor(void *memory, int32_t rank)
      : pointers(static_cast<void **>(memory)),
        offset(reinterpret_cast<int64_t *>(pointers + 2)), sizes(offset + 1),
        strides(sizes + rank) {}
};

/// Checks one call. A method named check... returns false when what follows it
/// would make no sense; the reasons are collected either way.
class Binder {
public:
  Binder(const AttnRtFunction &fn, const AttnRtTensor *const *tensors,
         void *const *descriptors, const MemoryPlace &place)
      : fn(fn), tensors(tensors), descriptors(descriptors), place(place) {}

  AttnRtStatus run();

private:
  bool checkFunction();
  void checkCpu();
  bool checkTensor(int32_t index);
  bool checkShape(int32_t index);
  bool fillStrides(int32_t index, bool isEmpty);
  void checkMemory(int32_t index, bool isEmpty);
  void checkSymbols();
  void checkConstraints();
  void checkOverlaps();

  /// Starts a reason on a new line of the text; the first sets the status.
  void fail(AttnRtStatus code);
  void failArgument(AttnRtStatus code, int32_t index);

  const AttnRtArgument &arg(int32_t index) const { return fn.args[index]; }
  Descriptor descriptor(int32_t index) const {
    return Descriptor(descriptors[index], arg(index).rank);
  }
  View view(int32_t index) const;
  int64_t elementBytes(int32_t index) const {
    return (arg(index).type_bits + 7) / 8;
  }
  bool hasShape(int32_t index) const {
    return tensors[index] && tensors[index]->ndim == arg(index).rank &&
           (tensors[index]->shape || arg(index).rank == 0);
  }
  bool isEmpty(int32_t index) const;
  const char *symbolName(int64_t dim) const {
    return dim < 0 && fn.symbol_names ? fn.symbol_names[-1 - dim] : nullptr;
  }
  void appendExtent(int32_t index, int32_t dim) const;

  const AttnRtFunction &fn;
  const AttnRtTensor *const *tensors;
  void *const *descriptors;
  const MemoryPlace &place;
  AttnRtStatus status = ATTN_RT_OK;
  // Set while every tensor so far has a usable shape, strides and memory.
  bool canCheckOverlaps = true;
};

} // namespace

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void Binder::fail(AttnRtStatus code) {
  if (status == ATTN_RT_OK) {
    status = code;
    clearErrorText();
    appendErrorText("function '%s':", fn.name ? fn.name : "");
  }
  appendErrorText("\n  ");
}

void Binder::failArgument(AttnRtStatus code, int32_t index) {
  fail(code);
  appendErrorText("argument '%s': ", arg(index).name ? arg(index).name : "");
}

/// "extent 2 (Skv)"
void Binder::appendExtent(int32_t index, int32_t dim) const {
  appendErrorText("extent %d", dim);
  if (const char *name = symbolName(arg(index).dims[dim]))
    appendErrorText(" (%s)", name);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

bool Binder::checkFunction() {
  if (fn.abi_version != ATTN_RT_ABI_VERSION) {
    fail(ATTN_RT_ABI_MISMATCH);
    appendErrorText(
        "compiled for version %u of the runtime's interface, this runtime has "
        "version %u",
        fn.abi_version, static_cast<unsigned>(ATTN_RT_ABI_VERSION));
    return false;
  }
  if (fn.num_symbols > ATTN_RT_MAX_SYMBOLS) {
    fail(ATTN_RT_INTERNAL);
    appendErrorText("has %d symbolic extents, at most %d are possible",
                    fn.num_symbols, ATTN_RT_MAX_SYMBOLS);
    return false;
  }
  return true;
}

void Binder::checkCpu() {
  uint64_t missing = fn.required_cpu_features & ~attn_rt_cpu_features();
  if (!missing)
    return;
  fail(ATTN_RT_UNSUPPORTED_CPU);
  appendErrorText("compiled for a CPU with");
  const char *separator = " ";
  for (int bit = 0; bit < 64; ++bit) {
    uint64_t feature = UINT64_C(1) << bit;
    if (!(missing & feature))
      continue;
    const char *name = attn_rt_cpu_feature_name(feature);
    if (name)
      appendErrorText("%s%s", separator, name);
    else
      appendErrorText("%sfeature number %d", separator, bit);
    separator = ", ";
  }
  appendErrorText(", which this CPU lacks");
}

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

bool Binder::isEmpty(int32_t index) const {
  for (int32_t d = 0; d < arg(index).rank; ++d)
    if (tensors[index]->shape[d] == 0)
      return true;
  return false;
}

View Binder::view(int32_t index) const {
  Descriptor desc = descriptor(index);
  return {reinterpret_cast<uintptr_t>(desc.pointers[1]), elementBytes(index),
          arg(index).rank, desc.sizes, desc.strides};
}

bool Binder::checkTensor(int32_t index) {
  const AttnRtTensor *tensor = tensors[index];
  const AttnRtArgument &expected = arg(index);
  if (!tensor) {
    failArgument(ATTN_RT_INVALID_VALUE, index);
    appendErrorText("expected a tensor, got a null pointer");
    return false;
  }
  bool reachable = place.accepts(place, tensor->device);
  if (!reachable) {
    failArgument(ATTN_RT_INVALID_DEVICE, index);
    appendErrorText("expected ");
    place.appendExpected(place);
    appendErrorText(", got ");
    appendDevice(static_cast<int>(tensor->device.device_type),
                 tensor->device.device_id);
  }
  bool sameType = tensor->dtype.code == expected.type_code &&
                  tensor->dtype.bits == expected.type_bits &&
                  tensor->dtype.lanes == 1;
  if (!sameType) {
    failArgument(ATTN_RT_INVALID_TYPE, index);
    appendErrorText("expected type ");
    appendType(expected.type_code, expected.type_bits, 1);
    appendErrorText(", got ");
    appendType(tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes);
  }
  if (!checkShape(index))
    return false;
  bool empty = isEmpty(index);
  bool stridesFit = fillStrides(index, empty);
  // Addresses of another type or on another device say nothing here.
  if (!reachable || !sameType)
    return false;
  checkMemory(index, empty);
  return stridesFit;
}

bool Binder::checkShape(int32_t index) {
  const AttnRtTensor *tensor = tensors[index];
  const AttnRtArgument &expected = arg(index);
  if (tensor->ndim != expected.rank) {
    failArgument(ATTN_RT_INVALID_SHAPE, index);
    appendErrorText("expected rank %d, got %d", expected.rank, tensor->ndim);
    if (tensor->shape && tensor->ndim > 0 && tensor->ndim <= 64) {
      appendErrorText(" with shape ");
      appendList(tensor->shape, tensor->ndim);
    }
    return false;
  }
  if (!tensor->shape && expected.rank > 0) {
    failArgument(ATTN_RT_INVALID_VALUE, index);
    appendErrorText("expected %d extents, got a null shape", expected.rank);
    return false;
  }
  bool valid = true;
  for (int32_t d = 0; d < expected.rank; ++d) {
    int64_t extent = tensor->shape[d];
    if (extent < 0) {
      failArgument(ATTN_RT_INVALID_SHAPE, index);
      appendExtent(index, d);
      appendErrorText(" expected to be 0 or more, got %lld",
                      static_cast<long long>(extent));
      valid = false;
    } else if (expected.dims[d] >= 0 && extent != expected.dims[d]) {
      failArgument(ATTN_RT_INVALID_SHAPE, index);
      appendExtent(index, d);
      appendErrorText(" expected %lld, got %lld",
                      static_cast<long long>(expected.dims[d]),
                      static_cast<long long>(extent));
    }
  }
  return valid;
}

bool Binder::fillStrides(int32_t index, bool isEmpty) {
  const AttnRtTensor *tensor = tensors[index];
  int32_t rank = arg(index).rank;
  Descriptor desc = descriptor(index);
  // A dense tensor too large for 64 bits is caught by its span. Wrapping is
  // harmless where there are no elements.
  uint64_t dense = 1;
  bool overflow = false;
  for (int32_t d = rank - 1; d >= 0; --d) {
    int64_t extent = tensor->shape[d];
    desc.sizes[d] = extent;
    desc.strides[d] =
        tensor->strides ? tensor->strides[d] : static_cast<int64_t>(dense);
    int64_t product;
    overflow |= __builtin_mul_overflow(static_cast<int64_t>(dense),
                                       extent > 1 ? extent : 1, &product);
    dense *= static_cast<uint64_t>(extent > 1 ? extent : 1);
  }
  if (rank > 0 && desc.sizes[rank - 1] > 1 && desc.strides[rank - 1] != 1 &&
      !isEmpty) {
    failArgument(ATTN_RT_INVALID_STRIDES, index);
    appendErrorText("stride of ");
    appendExtent(index, rank - 1);
    appendErrorText(" expected 1, the last dimension being dense, got %lld",
                    static_cast<long long>(desc.strides[rank - 1]));
    return false;
  }
  if (rank > 0)
    desc.strides[rank - 1] = 1;
  if (isEmpty)
    return true;
  Span span;
  if ((overflow && !tensor->strides) || !computeSpan(view(index), span)) {
    failArgument(ATTN_RT_INVALID_SHAPE, index);
    appendErrorText("expected to span less than 2^63 bytes, got shape ");
    appendList(desc.sizes, rank);
    if (tensor->strides) {
      appendErrorText(" with strides ");
      appendList(desc.strides, rank);
    } else {
      appendErrorText(", dense"); // its strides may have no numbers
    }
    return false;
  }
  return true;
}

void Binder::checkMemory(int32_t index, bool isEmpty) {
  const AttnRtTensor *tensor = tensors[index];
  Descriptor desc = descriptor(index);
  if (!tensor->data && !isEmpty) {
    failArgument(ATTN_RT_INVALID_VALUE, index);
    appendErrorText("expected data, got a null pointer for shape ");
    appendList(desc.sizes, arg(index).rank);
    canCheckOverlaps = false;
    return;
  }
  uintptr_t address = reinterpret_cast<uintptr_t>(tensor->data) +
                      static_cast<uintptr_t>(tensor->byte_offset);
  if (!isEmpty && address < tensor->byte_offset) {
    failArgument(ATTN_RT_INVALID_VALUE, index);
    appendErrorText("expected a byte offset that stays below the end of the "
                    "address space, got %llu from %p",
                    static_cast<unsigned long long>(tensor->byte_offset),
                    tensor->data);
    canCheckOverlaps = false;
    return;
  }
  uintptr_t alignment = static_cast<uintptr_t>(elementBytes(index));
  if (!isEmpty && address % alignment != 0) {
    failArgument(ATTN_RT_INVALID_ALIGNMENT, index);
    appendErrorText("expected an address that is a multiple of %u bytes, got "
                    "%p with a byte offset of %llu",
                    static_cast<unsigned>(alignment), tensor->data,
                    static_cast<unsigned long long>(tensor->byte_offset));
  }
  // What reads the first place of a tensor without elements finds a 0 there.
  alignas(16) static unsigned char nothing[16];
  desc.pointers[0] = desc.pointers[1] = isEmpty
                                            ? static_cast<void *>(nothing)
                                            : reinterpret_cast<void *>(address);
  *desc.offset = 0;
  if (isEmpty || !place.check)
    return;
  struct Reason {
    Binder *binder;
    int32_t index;
  } reason = {this, index};
  place.check(
      place, address,
      [](void *state) {
        auto *reason = static_cast<Reason *>(state);
        reason->binder->failArgument(ATTN_RT_INVALID_DEVICE, reason->index);
      },
      &reason);
}

//===----------------------------------------------------------------------===//
// Relations between tensors
//===----------------------------------------------------------------------===//

void Binder::checkSymbols() {
  Binding bindings[ATTN_RT_MAX_SYMBOLS];
  for (int32_t s = 0; s < fn.num_symbols; ++s)
    bindings[s].argument = -1;
  for (int32_t i = 0; i < fn.num_args; ++i) {
    if (!hasShape(i))
      continue;
    for (int32_t d = 0; d < arg(i).rank; ++d) {
      int64_t extent = tensors[i]->shape[d];
      if (arg(i).dims[d] >= 0 || extent < 0)
        continue;
      Binding &binding = bindings[-1 - arg(i).dims[d]];
      if (binding.argument < 0) {
        binding = {extent, i, d};
        continue;
      }
      if (binding.extent == extent)
        continue;
      failArgument(ATTN_RT_INVALID_SHAPE, i);
      appendExtent(i, d);
      appendErrorText(" expected %lld as in argument '%s'",
                      static_cast<long long>(binding.extent),
                      arg(binding.argument).name);
      if (binding.dim != d || binding.argument == i)
        appendErrorText(", extent %d", binding.dim);
      appendErrorText(", got %lld", static_cast<long long>(extent));
    }
  }
}

void Binder::checkConstraints() {
  for (int32_t c = 0; c < fn.num_constraints; ++c) {
    const AttnRtConstraint &constraint = fn.constraints[c];
    if (!hasShape(constraint.lhs_arg) || !hasShape(constraint.rhs_arg))
      continue;
    int64_t lhs = tensors[constraint.lhs_arg]->shape[constraint.lhs_dim];
    int64_t rhs = tensors[constraint.rhs_arg]->shape[constraint.rhs_dim];
    if (lhs < 0 || rhs < 0)
      continue;
    bool isMultiple = constraint.kind == ATTN_RT_CONSTRAINT_MULTIPLE;
    int64_t sum;
    bool overflow = __builtin_add_overflow(rhs, constraint.offset, &sum);
    if (isMultiple ? (rhs == 0 ? lhs == 0 : lhs % rhs == 0)
                   : !overflow && lhs == sum)
      continue;
    failArgument(ATTN_RT_INVALID_SHAPE, constraint.lhs_arg);
    appendExtent(constraint.lhs_arg, constraint.lhs_dim);
    if (isMultiple)
      appendErrorText(" expected a multiple of %lld, ",
                      static_cast<long long>(rhs));
    else {
      appendErrorText(" expected ");
      if (!overflow) // there may be no such extent
        appendErrorText("%lld, ", static_cast<long long>(sum));
      appendErrorText("%lld %s than ",
                      constraint.offset < 0
                          ? -static_cast<long long>(constraint.offset)
                          : static_cast<long long>(constraint.offset),
                      constraint.offset < 0 ? "less" : "more");
    }
    appendExtent(constraint.rhs_arg, constraint.rhs_dim);
    appendErrorText(" of argument '%s', got %lld", arg(constraint.rhs_arg).name,
                    static_cast<long long>(lhs));
  }
}

void Binder::checkOverlaps() {
  for (int32_t i = 0; i < fn.num_args; ++i) {
    if (!(arg(i).flags & ATTN_RT_ARGUMENT_OUTPUT) || isEmpty(i))
      continue;
    if (mayOverlapItself(view(i))) {
      Descriptor desc = descriptor(i);
      failArgument(ATTN_RT_INVALID_OVERLAP, i);
      appendErrorText("expected an output to have memory of its own for each "
                      "element, got shape ");
      appendList(desc.sizes, arg(i).rank);
      appendErrorText(" with strides ");
      appendList(desc.strides, arg(i).rank);
    }
    for (int32_t j = 0; j < fn.num_args; ++j) {
      // Of two outputs, the second one is named.
      bool isOutput = arg(j).flags & ATTN_RT_ARGUMENT_OUTPUT;
      if (j == i || (isOutput && j > i) || isEmpty(j) ||
          !mayOverlap(view(i), view(j)))
        continue;
      failArgument(ATTN_RT_INVALID_OVERLAP, i);
      appendErrorText("expected an output to lie apart from argument '%s', got "
                      "memory that overlaps it",
                      arg(j).name);
    }
  }
}

AttnRtStatus Binder::run() {
  if (!checkFunction())
    return status;
  checkCpu();
  for (int32_t i = 0; i < fn.num_args; ++i)
    canCheckOverlaps &= checkTensor(i);
  checkSymbols();
  checkConstraints();
  if (canCheckOverlaps)
    checkOverlaps();
  return status;
}

static bool isCpuMemory(const MemoryPlace &, const AttnRtDevice &device) {
  int type = static_cast<int>(device.device_type);
  return type == ATTN_RT_DEVICE_CPU || type == ATTN_RT_DEVICE_CUDA_HOST ||
         type == ATTN_RT_DEVICE_ROCM_HOST;
}

static void appendCpuMemory(const MemoryPlace &) {
  appendErrorText("memory of the CPU");
}

AttnRtStatus attn::rt::bindArguments(const AttnRtFunction &fn,
                                     const AttnRtTensor *const *tensors,
                                     void *const *descriptors,
                                     const MemoryPlace &place) {
  return Binder(fn, tensors, descriptors, place).run();
}

AttnRtStatus attn_rt_bind_arguments(const AttnRtFunction *fn,
                                    const AttnRtTensor *const *tensors,
                                    void *const *descriptors) {
  return bindArguments(*fn, tensors, descriptors,
                       {isCpuMemory, appendCpuMemory, nullptr});
}
