//===- FakeDriver.h - A CUDA driver without a device ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the functions of the CUDA driver that the runtime uses. It
// knows what belongs to which context, refuses what the real one refuses, keeps
// a record and fails on demand. "Device memory" is the host's.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H
#define ATTN_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fake {

struct Context {
  unsigned long long id;
  int device;
  bool destroyed = false;
};

struct Stream {
  unsigned long long id;
  Context *context;
  int capture = 0; // CUstreamCaptureStatus
};

struct Module {
  Context *context;
  std::string image;
  bool unloaded = false;
};

struct Function {
  Module *module;
  std::string name;
  std::map<int, int> attributes;
};

struct Launch {
  std::string kernel;
  unsigned grid[3], block[3], cluster[3];
  unsigned sharedBytes;
  void *stream;
  bool captured;
  std::vector<void *> params; // as many as the test asked to record
};

struct TileMap {
  int type, interleave, swizzle, l2Promotion, fill;
  uint32_t rank;
  void *base;
  std::vector<uint64_t> extents, strides;
  std::vector<uint32_t> box, elementStrides;
};

struct Memory {
  size_t bytes;
  int device;
  int type; // CUmemorytype
  bool managed;
  bool captured; // an allocation node of a graph
  bool freed;
  std::unique_ptr<char[]> storage;
};

struct State {
  std::mutex mutex;
  // Set for benchmarks: nothing is recorded, no lock is taken.
  std::atomic<bool> quiet{false};

  int deviceCount = 2;
  int capability[2] = {90, 90};
  int smCount = 132;
  int sharedBytes = 232448;
  int maxThreads = 1024;
  unsigned recordedParams = 0;

  std::vector<std::unique_ptr<Context>> contexts;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<std::unique_ptr<Function>> functions;
  std::map<int, Context *> primary;
  std::map<Context *, std::unique_ptr<Stream>> legacy;
  std::map<uintptr_t, Memory> memory;
  std::vector<Launch> launches;
  std::vector<TileMap> tileMaps;
  std::map<std::string, int> calls;
  // What a function of this name returns from now on; 0: what it does.
  std::map<std::string, int> failures;
  std::string jitLog;
  unsigned long long nextId = 1;

  /// Nothing made, nothing recorded; numbers go on, as the driver's do.
  void reset() {
    std::lock_guard<std::mutex> lock(mutex);
    deviceCount = 2;
    capability[0] = capability[1] = 90;
    sharedBytes = 232448;
    maxThreads = 1024;
    recordedParams = 0;
    launches.clear();
    tileMaps.clear();
    calls.clear();
    failures.clear();
    jitLog.clear();
  }
  int count(const std::string &name) {
    std::lock_guard<std::mutex> lock(mutex);
    return calls[name];
  }
  Context *createContext(int device) {
    std::lock_guard<std::mutex> lock(mutex);
    contexts.push_back(std::make_unique<Context>(Context{nextId++, device}));
    return contexts.back().get();
  }
  Stream *createStream(Context *context) {
    std::lock_guard<std::mutex> lock(mutex);
    streams.push_back(std::make_unique<Stream>(Stream{nextId++, context}));
    return streams.back().get();
  }
  void *addMemory(size_t bytes, int device, int type = 2, bool managed = false,
                  bool captured = false) {
    std::lock_guard<std::mutex> lock(mutex);
    return add(bytes, device, type, managed, captured);
  }
  void *add(size_t bytes, int device, int type, bool managed, bool captured) {
    // Poisoned, aligned to 256, and never at an address that was used before.
    std::unique_ptr<char[]> storage(new char[bytes + 256]);
    for (size_t i = 0; i < bytes + 256; ++i)
      storage[i] = char(0xab);
    uintptr_t address =
        (reinterpret_cast<uintptr_t>(storage.get()) + 255) / 256 * 256;
    memory[address] = {
        bytes, device, type, managed, captured, false, std::move(storage)};
    return reinterpret_cast<void *>(address);
  }
};

} // namespace fake

/// The library's own.
extern "C" fake::State *fake_cuda_state();
/// Makes `context` current in the calling thread, alone.
extern "C" void fake_cuda_set_current(fake::Context *context);
extern "C" int fake_cuda_stack_depth();

#endif // ATTN_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H
