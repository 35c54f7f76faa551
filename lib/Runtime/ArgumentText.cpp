//===- ArgumentText.cpp - Tensors in error texts --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes types as MLIR does and devices as PyTorch does.
//
//===----------------------------------------------------------------------===//

#include "ArgumentText.h"

#include "ErrorText.h"

#include "attn-rt/Tensor.h"

using namespace attn::rt;

void attn::rt::appendList(const int64_t *values, int32_t count) {
  appendErrorText("[");
  for (int32_t i = 0; i < count; ++i)
    appendErrorText(i ? ", %lld" : "%lld", static_cast<long long>(values[i]));
  appendErrorText("]");
}

void attn::rt::appendType(unsigned code, unsigned bits, unsigned lanes) {
  const char *prefix = code == ATTN_RT_TYPE_INT       ? "i"
                       : code == ATTN_RT_TYPE_UINT    ? "u"
                       : code == ATTN_RT_TYPE_FLOAT   ? "f"
                       : code == ATTN_RT_TYPE_BFLOAT  ? "bf"
                       : code == ATTN_RT_TYPE_COMPLEX ? "complex"
                                                      : nullptr;
  if (code == ATTN_RT_TYPE_BOOL && bits == 8)
    appendErrorText("bool");
  else if (prefix)
    appendErrorText("%s%u", prefix, bits);
  else
    appendErrorText("DLPack type code %u of %u bits", code, bits);
  if (lanes != 1)
    appendErrorText(" in %u lanes", lanes);
}

void attn::rt::appendDevice(int type, int id) {
  // Indexed by DLPack's DLDeviceType.
  static const char *const names[] = {nullptr,  "CPU",   "CUDA",  "CUDA host",
                                      "OpenCL", nullptr, nullptr, "Vulkan",
                                      "Metal",  "VPI",   "ROCm",  "ROCm host"};
  const int count = sizeof(names) / sizeof(names[0]);
  const char *name = type >= 0 && type < count ? names[type] : nullptr;
  if (name)
    appendErrorText("%s:%d", name, id);
  else
    appendErrorText("DLPack device type %d:%d", type, id);
}
