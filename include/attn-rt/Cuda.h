//===- Cuda.h - Launching kernels on CUDA devices ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host part of a compiled function calls to run its kernels. The CUDA
// driver is opened when first needed; nothing of CUDA is needed to build or
// link. Why it is as it is: docs/Rationale/Runtime.md. C99 and C++.
//
// A function makes one call of its own:
//
//   AttnRtCudaCall call;
//   status = attn_rt_cuda_begin(&call, stream, &fn, tensors, descriptors);
//   if (status) return status;
//   ... choose kernels by call.sm_count, encode tile maps, launch ...
//   return attn_rt_cuda_end(&call, status);
//
// Nothing here waits for the device, and nothing allocates memory outside of
// stream order, except when a kernel or a context is met for the first time.
// All of it may be captured into a graph. Functions that take a call must be
// called by the thread that began it; calls of any number of threads at once
// are right.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RT_CUDA_H
#define ATTN_RT_CUDA_H

#include "attn-rt/Arguments.h"
#include "attn-rt/Export.h"
#include "attn-rt/Status.h"
#include "attn-rt/Tensor.h"

#include <stdint.h>

ATTN_RT_EXTERN_C_BEGIN

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/* The number of CUDA devices; ATTN_RT_UNSUPPORTED_DEVICE when there is no
 * driver, it is older than CUDA 12.0, or it finds no device. Makes no context.
 */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_device_count(int32_t *count);

typedef struct AttnRtCudaDevice {
  int32_t capability;     /* 90: compute capability 9.0 */
  int32_t sm_count;       /* multiprocessors */
  int32_t shared_bytes;   /* the most shared memory that a block may ask for */
  int32_t driver_version; /* 12080: CUDA 12.8 */
} AttnRtCudaDevice;

/* Facts about device number `device`. Makes no context. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_device(int32_t device,
                                                AttnRtCudaDevice *facts);

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

#define ATTN_RT_CUDA_MAX_TEMPORARIES 8

/* One call of a compiled function. Lives on the caller's stack. */
typedef struct AttnRtCudaCall {
  void *stream;       /* CUstream, as given */
  int32_t device;     /* number of the device */
  int32_t capability; /* as in AttnRtCudaDevice, likewise the next two */
  int32_t sm_count;
  int32_t shared_bytes;
  int32_t capturing; /* 1: the stream is being captured into a graph */

  /* The first failure of this call; whatever comes after it does nothing, and
   * attn_rt_cuda_end returns it. So a caller may check once, at the end. */
  AttnRtStatus failure;

  /* The rest is the runtime's. */
  int32_t entered;
  void *context;
  const AttnRtFunction *fn;
  const AttnRtTensor *const *tensors;
  void *counter;
  int32_t num_temporaries;
  void *temporaries[ATTN_RT_CUDA_MAX_TEMPORARIES];
} AttnRtCudaCall;

/* Begins a call on `stream`, a CUstream or cudaStream_t: null is the legacy
 * default stream, as for CUDA itself. The stream's context is made current for
 * the calling thread until attn_rt_cuda_end; for a default stream it is the
 * current one, or else the primary context of the device of the first tensor.
 *
 * Then checks `tensors` and fills `descriptors` as attn_rt_bind_arguments does,
 * except that memory must be of the context's CUDA device (managed memory
 * counts), which the driver is asked about. `fn` may be null: no tensors.
 *
 * On failure there is nothing to end. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_begin(
    AttnRtCudaCall *call, void *stream, const AttnRtFunction *fn,
    const AttnRtTensor *const *tensors, void *const *descriptors);

/* Ends the call: gives temporary memory back in stream order and restores the
 * thread's context. Returns `status` if that is a failure, whose text then
 * stays; otherwise the call's first failure, one of its own, or ATTN_RT_OK. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_end(AttnRtCudaCall *call,
                                             AttnRtStatus status);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/* Machine code of one kernel for one kind of device. */
typedef struct AttnRtCubin {
  int32_t capability; /* 90: for compute capability 9.0 */
  int32_t exact;      /* 1: sm_90a and the like, for that one only; 0: also for
                       * later minor versions */
  const void *bytes;
  uint64_t size;
} AttnRtCubin;

/* A kernel as the compiler emits it, in writable memory. */
typedef struct AttnRtKernelImage {
  uint32_t abi_version; /* ATTN_RT_ABI_VERSION */
  int32_t num_cubins;
  const char *kernel; /* its symbol */
  const char *ptx;    /* zero-terminated; null: none */
  const AttnRtCubin *cubins;
  int32_t ptx_capability; /* the lowest that the text is for */
  int32_t ptx_exact;      /* 1: that one only */
  int32_t threads;        /* of a block */
  int32_t shared_bytes;   /* dynamic shared memory of a block */
  int32_t cluster[3];     /* blocks of a cluster; {1, 1, 1}: no clusters */
  int32_t reserved;       /* 0 */
  void *loaded;           /* null; the runtime's */
} AttnRtKernelImage;

/* Launches the kernel on the call's stream. `params` points to one pointer for
 * each parameter, as for cuLaunchKernel. A grid with an extent of 0 launches
 * nothing; each extent must be a multiple of the cluster's.
 *
 * The first launch in a context loads the kernel: a cubin made for the device,
 * or else the PTX, which the driver compiles (about as long as ptxas needs). */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_launch(AttnRtCudaCall *call,
                                                AttnRtKernelImage *image,
                                                int64_t grid_x, int64_t grid_y,
                                                int64_t grid_z, void **params);

/* Loads the kernel without launching it: to keep the time out of a first call.
 */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_load(AttnRtCudaCall *call,
                                              AttnRtKernelImage *image);

/* Unloads the kernel from all contexts, before the memory of `image` goes away.
 * No launch of it may be running, be queued, or be part of a graph in use. */
ATTN_RT_EXPORT void attn_rt_cuda_unload(AttnRtKernelImage *image);

//===----------------------------------------------------------------------===//
// Tile maps
//===----------------------------------------------------------------------===//

/* What is constant about a map through which a kernel copies tiles of a tensor:
 * boxes of elements, dimensions counted from the innermost. */
typedef struct AttnRtTile {
  const char *operand; /* for error texts */
  uint8_t type_code;   /* ATTN_RT_TYPE_... */
  uint8_t type_bits;
  uint8_t rank;    /* 1 to 5 */
  uint8_t swizzle; /* bytes: 0, 32, 64 or 128 */
  int32_t box[5];  /* elements */
} AttnRtTile;

#define ATTN_RT_CUDA_TILE_MAP_BYTES 128

/* Encodes a CUtensorMap of 128 bytes at `map`, aligned to 64, for the tensor at
 * `base` with `extents` elements and `strides` bytes per dimension, innermost
 * first. Elements outside of the extents are read as zeros and not written.
 * A dimension of one element may have any stride. Of a tensor
 * without elements all tiles but the first give zeros, with a `call` that has
 * tensors with elements; else its map is zeros, which no kernel may use. `call`
 * may be null.
 *
 * The device demands: base and strides multiples of 16 bytes; the innermost
 * dimension dense; other strides from 16 to 2^40 - 1; extents from 1 to 2^32;
 * box extents from 1 to 256, the innermost a multiple of 16 bytes and with
 * a swizzle at most as wide as it; the box no larger than shared memory. What
 * does not hold is named, all at once. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_encode_tile_map(
    AttnRtCudaCall *call, void *map, const AttnRtTile *tile, const void *base,
    const int64_t *extents, const int64_t *strides);

/* Whether all of that holds, without a text: 1 or 0. For choosing a kernel. */
ATTN_RT_EXPORT int32_t attn_rt_cuda_tile_map_fits(const AttnRtTile *tile,
                                                  const void *base,
                                                  const int64_t *extents,
                                                  const int64_t *strides);

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

/* A counter of 4 bytes for kernels that hand out work: 0 when a kernel of this
 * call starts, and the kernel must leave it 0. No launch that may overlap with
 * one of this call, eager or in a graph, gets the same: see the rationale. The
 * same one is returned all through a call. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_counter(AttnRtCudaCall *call,
                                                 void **counter);

/* `bytes` of uninitialised device memory, aligned to 256, that kernels of this
 * call may use; at most ATTN_RT_CUDA_MAX_TEMPORARIES times a call. It comes
 * from the device's current memory pool in stream order (in a graph: as an
 * allocation node) and goes back at attn_rt_cuda_end. Of 0 bytes: null. */
ATTN_RT_EXPORT AttnRtStatus attn_rt_cuda_allocate(AttnRtCudaCall *call,
                                                  int64_t bytes, void **memory);

ATTN_RT_EXTERN_C_END

#endif // ATTN_RT_CUDA_H
