//===- Status.cpp - Error codes and error texts ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps one growing buffer of text per thread and frees it when the thread
// ends.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Status.h"

#include "ErrorText.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

struct TextBuffer {
  char *text;
  size_t size; // without the terminating zero
  size_t capacity;
  bool lost; // some text did not fit into memory
};

thread_local TextBuffer buffer;

// A thread_local with a destructor would need the C++ library; a key does not.
pthread_key_t bufferKey;
pthread_once_t bufferKeyOnce = PTHREAD_ONCE_INIT;

void freeBuffer(void *text) { free(text); }

void makeBufferKey() { pthread_key_create(&bufferKey, freeBuffer); }

bool reserve(size_t capacity) {
  if (capacity <= buffer.capacity)
    return true;
  if (capacity < 2 * buffer.capacity)
    capacity = 2 * buffer.capacity;
  char *text = static_cast<char *>(realloc(buffer.text, capacity));
  if (!text)
    return false;
  buffer.text = text;
  buffer.capacity = capacity;
  pthread_once(&bufferKeyOnce, makeBufferKey);
  pthread_setspecific(bufferKey, text);
  return true;
}

} // namespace

void attn::rt::clearErrorText() {
  buffer.size = 0;
  buffer.lost = false;
  if (buffer.text)
    buffer.text[0] = '\0';
}

void attn::rt::appendErrorText(const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(nullptr, 0, format, args);
  va_end(args);
  if (length < 0 || !reserve(buffer.size + length + 1)) {
    buffer.lost = true;
  } else {
    vsnprintf(buffer.text + buffer.size, length + 1, format, again);
    buffer.size += length;
  }
  va_end(again);
}

const char *attn_rt_last_error(void) {
  if (buffer.size == 0)
    return buffer.lost ? "out of memory while writing the error text" : "";
  return buffer.text;
}

const char *attn_rt_status_name(AttnRtStatus status) {
  switch (status) {
  case ATTN_RT_OK:
    return "ok";
  case ATTN_RT_INVALID_SHAPE:
    return "invalid shape";
  case ATTN_RT_INVALID_TYPE:
    return "invalid type";
  case ATTN_RT_INVALID_DEVICE:
    return "invalid device";
  case ATTN_RT_INVALID_ALIGNMENT:
    return "invalid alignment";
  case ATTN_RT_INVALID_STRIDES:
    return "invalid strides";
  case ATTN_RT_INVALID_VALUE:
    return "invalid value";
  case ATTN_RT_INVALID_OVERLAP:
    return "invalid overlap";
  case ATTN_RT_UNSUPPORTED_CPU:
    return "unsupported CPU";
  case ATTN_RT_OUT_OF_MEMORY:
    return "out of memory";
  case ATTN_RT_ABI_MISMATCH:
    return "ABI mismatch";
  case ATTN_RT_INTERNAL:
    return "internal error";
  case ATTN_RT_UNSUPPORTED_DEVICE:
    return "unsupported device";
  case ATTN_RT_DEVICE_ERROR:
    return "device error";
  }
  return "unknown status";
}

AttnRtStatus attn_rt_fail(AttnRtStatus status, const char *text) {
  // The text may be the buffer itself, extended by nothing: keep it then.
  if (text != buffer.text || !text) {
    attn::rt::clearErrorText();
    attn::rt::appendErrorText("%s", text ? text : attn_rt_status_name(status));
  }
  return status;
}
