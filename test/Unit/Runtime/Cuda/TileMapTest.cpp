//===- TileMapTest.cpp - tensor maps for tile copies ----------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules, their texts, and what is handed to the driver.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

namespace {
/// Q of [2, 16, 1000, 128] bf16 in tiles of 128 x 64.
struct CudaTileMap : Cuda {
  AttnRtTile tile = {"q", ATTN_RT_TYPE_BFLOAT, 16, 3, 128, {64, 128, 1}};
  int64_t extents[5] = {128, 1000, 32, 1, 1};
  int64_t strides[5] = {2, 256, 256000, 0, 0};
  const void *base = reinterpret_cast<const void *>(0x7f0000000010);
  alignas(64) unsigned char map[ATTN_RT_CUDA_TILE_MAP_BYTES] = {};

  AttnRtStatus encode() {
    return attn_rt_cuda_encode_tile_map(nullptr, map, &tile, base, extents,
                                        strides);
  }

  /// Refused with `status` and `text`, and by the question too.
  void expectRefused(AttnRtStatus status, const std::string &text) {
    EXPECT_EQ(encode(), status);
    EXPECT_EQ(attn_rt_last_error(), "tile map of operand 'q':" + text);
    EXPECT_EQ(attn_rt_cuda_tile_map_fits(&tile, base, extents, strides), 0);
    EXPECT_TRUE(fake.tileMaps.empty());
  }
};
} // namespace

TEST_F(CudaTileMap, WhatIsEncoded) {
  EXPECT_EQ(attn_rt_cuda_tile_map_fits(&tile, base, extents, strides), 1);
  EXPECT_TRUE(fake.tileMaps.empty()) << "a question encodes nothing";
  ASSERT_EQ(encode(), ATTN_RT_OK) << attn_rt_last_error();
  EXPECT_EQ(map[127], 0x5a);
  const fake::TileMap &got = fake.tileMaps.at(0);
  EXPECT_EQ(got.type, 9);
  EXPECT_EQ(got.rank, 3u);
  EXPECT_EQ(got.base, base);
  EXPECT_EQ(got.extents, (std::vector<uint64_t>{128, 1000, 32}));
  EXPECT_EQ(got.strides, (std::vector<uint64_t>{256, 256000}));
  EXPECT_EQ(got.box, (std::vector<uint32_t>{64, 128, 1}));
  EXPECT_EQ(got.elementStrides, (std::vector<uint32_t>{1, 1, 1}));
  EXPECT_EQ(got.interleave, 0);
  EXPECT_EQ(got.swizzle, 3);
  EXPECT_EQ(got.l2Promotion, 3);
  EXPECT_EQ(got.fill, 0);
}

TEST_F(CudaTileMap, TypesAndSwizzles) {
  struct {
    uint8_t code, bits;
    int type;
  } types[] = {{ATTN_RT_TYPE_FLOAT, 16, 6}, {ATTN_RT_TYPE_FLOAT, 32, 7},
               {ATTN_RT_TYPE_FLOAT, 64, 8}, {ATTN_RT_TYPE_BFLOAT, 16, 9},
               {ATTN_RT_TYPE_UINT, 8, 0},   {ATTN_RT_TYPE_INT, 32, 3},
               {ATTN_RT_TYPE_INT, 8, 0},    {ATTN_RT_TYPE_UINT, 64, 4}};
  for (auto &one : types) {
    tile.type_code = one.code;
    tile.type_bits = one.bits;
    tile.box[0] = 16 * 8 / one.bits;
    strides[0] = one.bits / 8;
    for (int swizzle : {0, 32, 64, 128}) {
      tile.swizzle = static_cast<uint8_t>(swizzle);
      ASSERT_EQ(encode(), ATTN_RT_OK) << attn_rt_last_error();
      EXPECT_EQ(fake.tileMaps.back().type, one.type);
      EXPECT_EQ(fake.tileMaps.back().swizzle, swizzle == 0    ? 0
                                              : swizzle == 32 ? 1
                                              : swizzle == 64 ? 2
                                                              : 3);
    }
  }
}

/// The largest and smallest that the device takes.
TEST_F(CudaTileMap, Limits) {
  extents[1] = int64_t(1) << 32;
  strides[1] = 16;
  strides[2] = (int64_t(1) << 40) - 16;
  tile.box[1] = 256;
  EXPECT_EQ(encode(), ATTN_RT_OK) << attn_rt_last_error();
  tile.rank = 5;
  tile.box[3] = tile.box[4] = 1;
  EXPECT_EQ(encode(), ATTN_RT_OK) << attn_rt_last_error();
  tile.rank = 1;
  EXPECT_EQ(encode(), ATTN_RT_OK) << attn_rt_last_error();
}

/// A dimension of one element may have any stride, as tensors of PyTorch do.
TEST_F(CudaTileMap, StrideOfOneElement) {
  extents[2] = 1;
  for (int64_t stride :
       {int64_t(0), int64_t(-2), int64_t(7), int64_t(1) << 50}) {
    strides[2] = stride;
    EXPECT_EQ(attn_rt_cuda_tile_map_fits(&tile, base, extents, strides), 1);
    ASSERT_EQ(encode(), ATTN_RT_OK) << attn_rt_last_error();
    EXPECT_EQ(fake.tileMaps.back().strides[1] % 16, 0u);
    EXPECT_GT(fake.tileMaps.back().strides[1], 0u);
  }
  extents[0] = 1;
  strides[0] = 40;
  EXPECT_EQ(encode(), ATTN_RT_OK) << attn_rt_last_error();
}

TEST_F(CudaTileMap, Address) {
  base = reinterpret_cast<const void *>(0x7f0000000008);
  expectRefused(ATTN_RT_INVALID_ALIGNMENT,
                "\n  address expected to be a multiple of 16 bytes, got "
                "0x7f0000000008");
}

TEST_F(CudaTileMap, Strides) {
  const std::string tail = "expected a multiple of 16 bytes from 16 to below "
                           "2^40, got ";
  for (int64_t stride : {int64_t(0), int64_t(-256), int64_t(8), int64_t(264),
                         int64_t(1) << 40}) {
    strides[1] = stride;
    expectRefused(ATTN_RT_INVALID_STRIDES,
                  "\n  stride 1 " + tail + std::to_string(stride));
  }
  strides[1] = 256;
  strides[0] = 4;
  expectRefused(ATTN_RT_INVALID_STRIDES,
                "\n  stride 0 expected 2 bytes, the innermost dimension being "
                "dense, got 4");
}

TEST_F(CudaTileMap, Extents) {
  for (int64_t extent : {int64_t(-1), (int64_t(1) << 32) + 1}) {
    extents[1] = extent;
    expectRefused(ATTN_RT_INVALID_SHAPE,
                  "\n  extent 1 expected from 1 to 2^32, got " +
                      std::to_string(extent));
  }
}

/// What the compiler chose.
TEST_F(CudaTileMap, NoElementsGiveAMapOfZeros) {
  extents[1] = 0;
  unsigned char bytes[ATTN_RT_CUDA_TILE_MAP_BYTES];
  for (unsigned char &byte : bytes)
    byte = 1;
  EXPECT_EQ(attn_rt_cuda_encode_tile_map(nullptr, bytes, &tile, base, extents,
                                         strides),
            ATTN_RT_OK);
  for (unsigned char byte : bytes)
    EXPECT_EQ(byte, 0);
}

TEST_F(CudaTileMap, Tiles) {
  tile.box[1] = 257;
  expectRefused(ATTN_RT_INTERNAL,
                "\n  box extent 1 expected from 1 to 256, got 257");
  tile.box[1] = 0;
  expectRefused(ATTN_RT_INTERNAL,
                "\n  box extent 1 expected from 1 to 256, got 0");
  tile.box[1] = 1;
  tile.box[0] = 72;
  expectRefused(ATTN_RT_INTERNAL, "\n  innermost box extent expected at most "
                                  "the swizzle's 128 bytes, got 144");
  tile.swizzle = 0;
  EXPECT_EQ(attn_rt_cuda_tile_map_fits(&tile, base, extents, strides), 1);
  tile.box[0] = 4;
  expectRefused(ATTN_RT_INTERNAL, "\n  innermost box extent expected a "
                                  "multiple of 16 bytes, got 8");
  tile.box[0] = 8;
  tile.swizzle = 96;
  expectRefused(ATTN_RT_INTERNAL,
                "\n  swizzle expected of 0, 32, 64 or 128 bytes, got 96");
  tile.swizzle = 0;
  tile.rank = 6;
  expectRefused(ATTN_RT_INTERNAL, "\n  rank expected from 1 to 5, got 6");
  tile.rank = 0;
  expectRefused(ATTN_RT_INTERNAL, "\n  rank expected from 1 to 5, got 0");
  tile.rank = 3;
  tile.type_code = ATTN_RT_TYPE_COMPLEX;
  tile.type_bits = 64;
  expectRefused(ATTN_RT_INVALID_TYPE,
                "\n  element type expected of 8 to 64 bits that a tile copy "
                "knows, got complex64");
}

TEST_F(CudaTileMap, AllReasonsAtOnce) {
  base = reinterpret_cast<const void *>(0x7f0000000008);
  extents[2] = -1;
  strides[1] = 258;
  strides[2] = -2;
  expectRefused(ATTN_RT_INVALID_ALIGNMENT,
                "\n  address expected to be a multiple of 16 bytes, got "
                "0x7f0000000008"
                "\n  extent 2 expected from 1 to 2^32, got -1"
                "\n  stride 1 expected a multiple of 16 bytes from 16 to below "
                "2^40, got 258"
                "\n  stride 2 expected a multiple of 16 bytes from 16 to below "
                "2^40, got -2");
}

TEST_F(CudaTileMap, QuestionLeavesTheTextAlone) {
  attn_rt_fail(ATTN_RT_INTERNAL, "earlier");
  extents[2] = 0;
  EXPECT_EQ(attn_rt_cuda_tile_map_fits(&tile, base, extents, strides), 0);
  EXPECT_STREQ(attn_rt_last_error(), "earlier");
}

TEST_F(CudaTileMap, FailureOfTheDriver) {
  fake.failures["cuTensorMapEncodeTiled"] = 1;
  EXPECT_EQ(encode(), ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(attn_rt_last_error(),
               "tile map of operand 'q', extents [128, 1000, 32], strides in "
               "bytes [2, 256, 256000] (2 bytes an element): "
               "cuTensorMapEncodeTiled gave CUDA_ERROR_INVALID_VALUE (invalid "
               "argument)");
}
