//===- Tensor.h - Tensors as compiled functions take them -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `AttnRtTensor` has the layout of DLPack's `DLTensor`. When <dlpack/dlpack.h>
// was included before this header it *is* that type. Otherwise it is a type of
// its own, so that the two headers can stand in one file in either order; a
// `const DLTensor *` may then be cast to `const AttnRtTensor *`. C99 and C++.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RT_TENSOR_H
#define ATTN_RT_TENSOR_H

#include "attn-rt/Export.h"

#include <stdint.h>

ATTN_RT_EXTERN_C_BEGIN

/* Values of `AttnRtDataType::code`, those of DLPack's DLDataTypeCode. */
enum {
  ATTN_RT_TYPE_INT = 0,
  ATTN_RT_TYPE_UINT = 1,
  ATTN_RT_TYPE_FLOAT = 2,
  ATTN_RT_TYPE_BFLOAT = 4,
  ATTN_RT_TYPE_COMPLEX = 5,
  ATTN_RT_TYPE_BOOL = 6
};

/* Values of `AttnRtDevice::device_type`, those of DLPack's DLDeviceType. The
 * CPU reads and writes the memory of the first three. */
enum {
  ATTN_RT_DEVICE_CPU = 1,
  ATTN_RT_DEVICE_CUDA_HOST = 3,  /* pinned host memory */
  ATTN_RT_DEVICE_ROCM_HOST = 11, /* pinned host memory */
  ATTN_RT_DEVICE_CUDA = 2,
  ATTN_RT_DEVICE_CUDA_MANAGED = 13
};

#ifdef DLPACK_DLPACK_H_

typedef DLDevice AttnRtDevice;
typedef DLDataType AttnRtDataType;
typedef DLTensor AttnRtTensor;

#else

typedef struct AttnRtDevice {
  int32_t device_type;
  int32_t device_id;
} AttnRtDevice;

typedef struct AttnRtDataType {
  uint8_t code;
  uint8_t bits;   /* of one lane: 32 for a float */
  uint16_t lanes; /* 1 */
} AttnRtDataType;

typedef struct AttnRtTensor {
  void *data; /* may be null only when the tensor has no elements */
  AttnRtDevice device;
  int32_t ndim;
  AttnRtDataType dtype;
  int64_t *shape;   /* `ndim` extents, in elements, each >= 0 */
  int64_t *strides; /* `ndim` strides, in elements; null: row-major, dense */
  uint64_t byte_offset; /* from `data` to the element of index 0 */
} AttnRtTensor;

#endif

ATTN_RT_EXTERN_C_END

#endif // ATTN_RT_TENSOR_H
