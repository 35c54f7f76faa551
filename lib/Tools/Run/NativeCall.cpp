//===- NativeCall.cpp - Calls of compiled code ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instance of the call per number of arguments.
//
//===----------------------------------------------------------------------===//

#include "NativeCall.h"
#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <utility>

using namespace mlir::attn::run;

template <size_t>
using Pointer = void *;

template <size_t... Index>
static int32_t callWith(void *address, void *const *arguments,
                        std::index_sequence<Index...>) {
  return reinterpret_cast<int32_t (*)(Pointer<Index>...)>(address)(
      arguments[Index]...);
}

template <size_t Count>
static int32_t callCounted(void *address, void *const *arguments) {
  return callWith(address, arguments, std::make_index_sequence<Count>());
}

template <size_t... Count>
static int32_t dispatch(void *address, llvm::ArrayRef<void *> arguments,
                        std::index_sequence<Count...>) {
  using Call = int32_t (*)(void *, void *const *);
  static constexpr Call kCalls[] = {callCounted<Count>...};
  return kCalls[arguments.size()](address, arguments.data());
}

static AttnRtDataType getDataType(ElementType type) {
  uint8_t bits = static_cast<uint8_t>(getByteSize(type) * 8);
  switch (type) {
  case ElementType::F64:
  case ElementType::F32:
  case ElementType::F16:
    return {ATTN_RT_TYPE_FLOAT, bits, 1};
  case ElementType::BF16:
    return {ATTN_RT_TYPE_BFLOAT, bits, 1};
  case ElementType::I64:
  case ElementType::I32:
  case ElementType::I16:
  case ElementType::I8:
    return {ATTN_RT_TYPE_INT, bits, 1};
  case ElementType::I1:
    return {ATTN_RT_TYPE_BOOL, bits, 1};
  }
  llvm_unreachable("unknown element type");
}

static llvm::Error checkCount(size_t count) {
  if (count <= kMaxNativeArguments)
    return llvm::Error::success();
  return llvm::createStringError("a function with " + llvm::Twine(count) +
                                 " tensors cannot be run, expected at most " +
                                 llvm::Twine(kMaxNativeArguments));
}

namespace {
class EntryProgram : public Program {
public:
  EntryProgram(std::shared_ptr<void> code, void *address)
      : code(std::move(code)), address(address) {}

  llvm::Error call(llvm::ArrayRef<HostTensor> arguments,
                   llvm::ArrayRef<HostTensor> results) override {
    if (llvm::Error error = checkCount(arguments.size() + results.size()))
      return error;
    std::vector<AttnRtTensor> tensors;
    for (const HostTensor &tensor :
         llvm::concat<const HostTensor>(arguments, results)) {
      // DLPack has no const; the callee does not write shapes or strides.
      tensors.push_back({tensor.getData(),
                         {ATTN_RT_DEVICE_CPU, 0},
                         static_cast<int32_t>(tensor.getRank()),
                         getDataType(tensor.getType()),
                         const_cast<int64_t *>(tensor.getShape().data()),
                         const_cast<int64_t *>(tensor.getStrides().data()),
                         0});
    }
    llvm::SmallVector<void *> pointers;
    for (AttnRtTensor &tensor : tensors)
      pointers.push_back(&tensor);
    int32_t status = dispatch(
        address, pointers, std::make_index_sequence<kMaxNativeArguments + 1>());
    if (status == ATTN_RT_OK)
      return llvm::Error::success();
    return llvm::createStringError(llvm::Twine(attn_rt_status_name(status)) +
                                   " (status " + llvm::Twine(status) + "):\n" +
                                   attn_rt_last_error());
  }

private:
  std::shared_ptr<void> code;
  void *address;
};

} // namespace

std::unique_ptr<Program>
mlir::attn::run::makeEntryProgram(std::shared_ptr<void> code, void *address) {
  return std::make_unique<EntryProgram>(std::move(code), address);
}
