//===- TileMap.cpp - Tensor maps for tile copies --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device's rules (CUDA Driver API reference, cuTensorMapEncodeTiled), once:
// as a question and as an error text.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Cuda.h"

#include "ArgumentText.h"
#include "Cuda/Driver.h"
#include "ErrorText.h"
#include <cstring>

using namespace attn::rt;
using namespace attn::rt::cuda;

namespace {

constexpr int kMaxRank = 5;
constexpr int64_t kMaxExtent = int64_t(1) << 32;
constexpr int64_t kMaxStride = int64_t(1) << 40; // not included
constexpr int64_t kMaxBoxBytes = 232448;         // shared memory of a block

/// CUtensorMapDataType of a type; -1: there is none.
int findDataType(unsigned code, unsigned bits) {
  switch (code << 8 | bits) {
  case ATTN_RT_TYPE_UINT << 8 | 8:
  case ATTN_RT_TYPE_INT << 8 | 8: // copied, not computed with
    return 0;
  case ATTN_RT_TYPE_UINT << 8 | 16:
  case ATTN_RT_TYPE_INT << 8 | 16:
    return 1;
  case ATTN_RT_TYPE_UINT << 8 | 32:
    return 2;
  case ATTN_RT_TYPE_INT << 8 | 32:
    return 3;
  case ATTN_RT_TYPE_UINT << 8 | 64:
    return 4;
  case ATTN_RT_TYPE_INT << 8 | 64:
    return 5;
  case ATTN_RT_TYPE_FLOAT << 8 | 16:
    return 6;
  case ATTN_RT_TYPE_FLOAT << 8 | 32:
    return 7;
  case ATTN_RT_TYPE_FLOAT << 8 | 64:
    return 8;
  case ATTN_RT_TYPE_BFLOAT << 8 | 16:
    return 9;
  default:
    return -1;
  }
}

/// Checks the rules; with `explain` it also writes what does not hold, each on
/// a line.
class Rules {
public:
  Rules(const AttnRtTile &tile, bool explain) : tile(tile), explain(explain) {}

  /// ATTN_RT_OK, or the status of the first reason.
  AttnRtStatus check(const void *base, const int64_t *extents,
                     const int64_t *strides);

private:
  void checkTile(int64_t elementBytes);
  void checkExtents(const int64_t *extents);
  void checkStrides(const int64_t *extents, const int64_t *strides,
                    int64_t elementBytes);

  /// Notes a reason; whether its text is wanted.
  bool fault(AttnRtStatus code);

  const AttnRtTile &tile;
  const bool explain;
  AttnRtStatus status = ATTN_RT_OK;
};

} // namespace

static long long print(int64_t value) { return static_cast<long long>(value); }

bool Rules::fault(AttnRtStatus code) {
  bool isFirst = status == ATTN_RT_OK;
  if (isFirst)
    status = code;
  if (!explain)
    return false;
  if (isFirst) {
    clearErrorText();
    appendErrorText("tile map of operand '%s':",
                    tile.operand ? tile.operand : "");
  }
  appendErrorText("\n  ");
  return true;
}

/// What the compiler chose; a fault here is the compiler's.
void Rules::checkTile(int64_t elementBytes) {
  for (int32_t d = 0; d < tile.rank; ++d)
    if ((tile.box[d] < 1 || tile.box[d] > 256) && fault(ATTN_RT_INTERNAL))
      appendErrorText("box extent %d expected from 1 to 256, got %d", d,
                      tile.box[d]);
  int64_t boxBytes = elementBytes;
  for (int32_t d = 0; d < tile.rank; ++d)
    boxBytes *= tile.box[d];
  if (boxBytes > kMaxBoxBytes && fault(ATTN_RT_INTERNAL))
    appendErrorText("box expected to hold at most %lld bytes, got %lld",
                    print(kMaxBoxBytes), print(boxBytes));
  int64_t innerBytes = tile.box[0] * elementBytes;
  if (innerBytes % 16 && fault(ATTN_RT_INTERNAL))
    appendErrorText("innermost box extent expected a multiple of 16 bytes, got "
                    "%lld",
                    print(innerBytes));
  if (tile.swizzle != 0 && tile.swizzle != 32 && tile.swizzle != 64 &&
      tile.swizzle != 128) {
    if (fault(ATTN_RT_INTERNAL))
      appendErrorText("swizzle expected of 0, 32, 64 or 128 bytes, got %d",
                      tile.swizzle);
  } else if (tile.swizzle && innerBytes > tile.swizzle) {
    if (fault(ATTN_RT_INTERNAL))
      appendErrorText("innermost box extent expected at most the swizzle's %d "
                      "bytes, got %lld",
                      tile.swizzle, print(innerBytes));
  }
}

void Rules::checkExtents(const int64_t *extents) {
  for (int32_t d = 0; d < tile.rank; ++d)
    if ((extents[d] < 1 || extents[d] > kMaxExtent) &&
        fault(ATTN_RT_INVALID_SHAPE))
      appendErrorText("extent %d expected from 1 to 2^32, got %lld", d,
                      print(extents[d]));
}

void Rules::checkStrides(const int64_t *extents, const int64_t *strides,
                         int64_t elementBytes) {
  if (extents[0] > 1 && strides[0] != elementBytes &&
      fault(ATTN_RT_INVALID_STRIDES))
    appendErrorText("stride 0 expected %lld bytes, the innermost dimension "
                    "being dense, got %lld",
                    print(elementBytes), print(strides[0]));
  for (int32_t d = 1; d < tile.rank; ++d) {
    // Nothing lies at the second element of a dimension of one.
    if (extents[d] == 1)
      continue;
    bool inRange = strides[d] >= 16 && strides[d] < kMaxStride;
    if ((!inRange || strides[d] % 16) && fault(ATTN_RT_INVALID_STRIDES))
      appendErrorText("stride %d expected a multiple of 16 bytes from 16 to "
                      "below 2^40, got %lld",
                      d, print(strides[d]));
  }
}

AttnRtStatus Rules::check(const void *base, const int64_t *extents,
                          const int64_t *strides) {
  int64_t elementBytes = tile.type_bits / 8;
  if (tile.rank < 1 || tile.rank > kMaxRank) {
    if (fault(ATTN_RT_INTERNAL))
      appendErrorText("rank expected from 1 to %d, got %d", kMaxRank,
                      tile.rank);
    return status;
  }
  if (findDataType(tile.type_code, tile.type_bits) < 0) {
    if (fault(ATTN_RT_INVALID_TYPE)) {
      appendErrorText("element type expected of 8 to 64 bits that a tile copy "
                      "knows, got ");
      appendType(tile.type_code, tile.type_bits, 1);
    }
    return status;
  }
  checkTile(elementBytes);
  if (reinterpret_cast<uintptr_t>(base) % 16 &&
      fault(ATTN_RT_INVALID_ALIGNMENT))
    appendErrorText("address expected to be a multiple of 16 bytes, got %p",
                    base);
  checkExtents(extents);
  checkStrides(extents, strides, elementBytes);
  return status;
}

int32_t attn_rt_cuda_tile_map_fits(const AttnRtTile *tile, const void *base,
                                   const int64_t *extents,
                                   const int64_t *strides) {
  return Rules(*tile, /*explain=*/false).check(base, extents, strides) ==
         ATTN_RT_OK;
}

/// An address of the device, a multiple of 16, that `call` was given; null if
/// none of its tensors has elements.
static const void *findMemory(const AttnRtCudaCall *call) {
  if (!call || !call->fn)
    return nullptr;
  for (int32_t n = 0; n < call->fn->num_args; ++n) {
    const AttnRtTensor &tensor = *call->tensors[n];
    bool hasElements =
        tensor.data && tensor.device.device_type != ATTN_RT_DEVICE_CPU;
    for (int32_t d = 0; d < tensor.ndim; ++d)
      hasElements &= tensor.shape[d] != 0;
    if (hasElements)
      return reinterpret_cast<const void *>(
          (reinterpret_cast<uintptr_t>(tensor.data) + tensor.byte_offset) / 16 *
          16);
  }
  return nullptr;
}

static AttnRtStatus encode(const AttnRtCudaCall *call, void *map,
                           const AttnRtTile *tile, const void *base,
                           const int64_t *extents, const int64_t *strides) {
  int64_t elementBytes = tile->type_bits / 8;
  bool hasElements = true;
  for (int32_t d = 0; d < tile->rank && d < kMaxRank; ++d)
    hasElements &= extents[d] != 0;
  // Tiles of a tensor without elements lie outside of it, so that a copy gives
  // zeros: the map is one of a single element that no copy reaches. The device
  // wants an address that is its own all the same.
  const int64_t one[kMaxRank] = {1, 1, 1, 1, 1};
  const int64_t apart[kMaxRank] = {elementBytes, 16, 16, 16, 16};
  if (!hasElements) {
    base = findMemory(call);
    if (!base) {
      memset(map, 0, ATTN_RT_CUDA_TILE_MAP_BYTES);
      return ATTN_RT_OK;
    }
    extents = one;
    strides = apart;
  }
  if (AttnRtStatus status =
          Rules(*tile, /*explain=*/true).check(base, extents, strides))
    return status;
  const Driver *driver = getDriver();
  if (!driver)
    return ATTN_RT_UNSUPPORTED_DEVICE;
  uint64_t dims[kMaxRank], bytes[kMaxRank] = {};
  uint32_t box[kMaxRank];
  const uint32_t elementStrides[kMaxRank] = {1, 1, 1, 1, 1};
  for (int32_t d = 0; d < tile->rank; ++d) {
    dims[d] = static_cast<uint64_t>(extents[d]);
    box[d] = static_cast<uint32_t>(tile->box[d]);
    // The driver wants the rules to hold of strides that nobody uses, too.
    if (d > 0)
      bytes[d - 1] = extents[d] == 1 ? 16 : static_cast<uint64_t>(strides[d]);
  }
  static_assert(ATTN_RT_CUDA_TILE_MAP_BYTES == 128, "size of CUtensorMap");
  int swizzle = tile->swizzle == 0    ? 0
                : tile->swizzle == 32 ? 1
                : tile->swizzle == 64 ? 2
                                      : 3;
  Result result = driver->TensorMapEncodeTiled(
      map, findDataType(tile->type_code, tile->type_bits), tile->rank,
      const_cast<void *>(base), dims, bytes, box, elementStrides,
      /*interleave=*/0, swizzle, kTensorMapL2Promotion256, /*fill=*/0);
  if (!result)
    return ATTN_RT_OK;
  clearErrorText();
  appendErrorText("tile map of operand '%s', extents ",
                  tile->operand ? tile->operand : "");
  appendList(extents, tile->rank);
  appendErrorText(", strides in bytes ");
  appendList(strides, tile->rank);
  appendErrorText(" (%lld bytes an element): ", print(elementBytes));
  appendFailure(*driver, "cuTensorMapEncodeTiled", result);
  return statusOf(result);
}

AttnRtStatus attn_rt_cuda_encode_tile_map(AttnRtCudaCall *call, void *map,
                                          const AttnRtTile *tile,
                                          const void *base,
                                          const int64_t *extents,
                                          const int64_t *strides) {
  if (!call)
    return encode(nullptr, map, tile, base, extents, strides);
  if (!call->failure)
    call->failure = encode(call, map, tile, base, extents, strides);
  return call->failure;
}
