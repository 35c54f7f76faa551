//===- MemoryTest.cpp - counters and temporary device memory --------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which launches share a counter, and that memory goes back.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <set>
#include <thread>

namespace {
class CudaMemory : public Cuda {
protected:
  /// The counter of a call of its own on `on`; null on failure.
  void *counter(void *on) {
    AttnRtCudaCall call;
    if (begin(call, on))
      return nullptr;
    void *result = nullptr, *again = nullptr;
    EXPECT_EQ(attn_rt_cuda_counter(&call, &result), ATTN_RT_OK)
        << attn_rt_last_error();
    EXPECT_EQ(attn_rt_cuda_counter(&call, &again), ATTN_RT_OK);
    EXPECT_EQ(result, again) << "one for the whole call";
    EXPECT_EQ(*static_cast<uint32_t *>(result), 0u);
    EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_OK);
    return result;
  }
  bool isFreed(void *memory) {
    return fake.memory.at(reinterpret_cast<uintptr_t>(memory)).freed;
  }
};
} // namespace

/// Calls on one stream do not overlap and share; those on different streams,
/// default ones included, do not.
TEST_F(CudaMemory, CounterOfAStream) {
  std::set<void *> seen;
  void *first = counter(stream);
  ASSERT_TRUE(first);
  EXPECT_EQ(counter(stream), first);
  seen.insert(first);
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(seen.insert(counter(fake.createStream(context))).second);
  EXPECT_TRUE(seen.insert(counter(nullptr)).second);
  fake::Context *other = fake.createContext(0);
  EXPECT_TRUE(seen.insert(counter(fake.createStream(other))).second);
  EXPECT_EQ(fake.count("cuMemAlloc"), 2) << "once a context";
  EXPECT_EQ(fake.count("cuMemAllocAsync"), 0);
}

/// A destroyed stream's work may still run when its handle is given again.
TEST_F(CudaMemory, CounterOfAStreamAtAnOldAddress) {
  void *first = counter(stream);
  stream->id = fake.nextId++;
  EXPECT_NE(counter(stream), first);
}

/// Numbers of streams that meet in the table go to other places of it.
TEST_F(CudaMemory, CountersOfScatteredStreams) {
  std::set<void *> seen;
  unsigned long long id = 1;
  for (int i = 0; i < 500; ++i) {
    fake::Stream *one = fake.createStream(context);
    id = id * 6364136223846793005ull + 1442695040888963407ull;
    one->id = id;
    EXPECT_TRUE(seen.insert(counter(one)).second);
  }
  EXPECT_EQ(fake.count("cuMemAllocAsync"), 0);
}

/// Beyond the table's size counters are allocated in stream order: no counter
/// of another stream, and nothing that grows.
TEST_F(CudaMemory, MoreStreamsThanCounters) {
  std::set<void *> pooled;
  int beyond = 0;
  for (int i = 0; i < 3000; ++i) {
    void *memory = counter(fake.createStream(context));
    ASSERT_TRUE(memory);
    if (fake.memory.count(reinterpret_cast<uintptr_t>(memory)) &&
        fake.count("cuMemAllocAsync") > beyond) {
      ++beyond;
      EXPECT_TRUE(isFreed(memory));
    } else {
      EXPECT_TRUE(pooled.insert(memory).second);
    }
  }
  EXPECT_EQ(beyond + pooled.size(), 3000u);
  EXPECT_LE(pooled.size(), 1024u);
  EXPECT_GE(pooled.size(), 900u) << "the table is used well";
  EXPECT_EQ(fake.count("cuMemAlloc"), 1);
}

/// In a graph the counter is memory of the graph, zeroed and freed by its
/// nodes: never that of the stream, nor that of another captured call.
TEST_F(CudaMemory, CounterInAGraph) {
  void *eager = counter(stream);
  stream->capture = 1;
  std::set<void *> seen = {eager};
  for (int i = 0; i < 10; ++i) {
    void *memory = counter(stream);
    ASSERT_TRUE(memory);
    EXPECT_TRUE(seen.insert(memory).second);
    EXPECT_TRUE(fake.memory.at(reinterpret_cast<uintptr_t>(memory)).captured);
    EXPECT_TRUE(isFreed(memory));
  }
  EXPECT_EQ(stream->capture, 1) << "the capture goes on";
  stream->capture = 0;
  EXPECT_EQ(counter(stream), eager);
}

/// The first counter of a context, while another thread captures.
TEST_F(CudaMemory, CountersAreMadeDuringACapture) {
  fake::Stream *capturing = fake.createStream(context);
  capturing->capture = 1;
  EXPECT_TRUE(counter(stream));
  EXPECT_EQ(capturing->capture, 1) << "the capture goes on";
  capturing->capture = 0;
}

TEST_F(CudaMemory, FailuresOfCounters) {
  for (const char *function :
       {"cuStreamGetId", "cuMemAlloc", "cuStreamCreate", "cuMemsetD32Async",
        "cuStreamSynchronize", "cuStreamDestroy"}) {
    fake.failures = {{function, 2}};
    AttnRtCudaCall call;
    ASSERT_EQ(begin(call, stream), ATTN_RT_OK);
    void *memory = nullptr;
    EXPECT_EQ(attn_rt_cuda_counter(&call, &memory), ATTN_RT_OUT_OF_MEMORY)
        << function;
    EXPECT_EQ(memory, nullptr);
    std::string text = attn_rt_last_error();
    EXPECT_NE(text.find(std::string(": ") + function +
                        " gave CUDA_ERROR_OUT_OF_MEMORY (out of memory)"),
              std::string::npos)
        << text;
    attn_rt_cuda_end(&call, ATTN_RT_OUT_OF_MEMORY);
  }
  // Memory that was got is not lost: all but the first two had it.
  EXPECT_EQ(fake.count("cuMemFree"), 4);
  fake.failures.clear();
  EXPECT_TRUE(counter(stream)) << "a failure is not remembered";
}

TEST_F(CudaMemory, CountersOfManyThreads) {
  constexpr int threadCount = 8, rounds = 60;
  std::vector<std::vector<void *>> seen(threadCount);
  std::vector<std::thread> threads;
  std::vector<fake::Stream *> shared;
  for (int i = 0; i < rounds; ++i)
    shared.push_back(fake.createStream(context));
  for (int t = 0; t < threadCount; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        AttnRtCudaCall call;
        void *memory = nullptr;
        if (!begin(call, shared[i]) && !attn_rt_cuda_counter(&call, &memory))
          attn_rt_cuda_end(&call, ATTN_RT_OK);
        seen[t].push_back(memory);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  std::set<void *> different(seen[0].begin(), seen[0].end());
  EXPECT_EQ(different.size(), size_t(rounds));
  for (auto &one : seen)
    EXPECT_EQ(one, seen[0]);
  EXPECT_EQ(fake.count("cuMemAlloc"), 1);
}

TEST_F(CudaMemory, Temporaries) {
  AttnRtCudaCall call;
  ASSERT_EQ(begin(call, stream), ATTN_RT_OK);
  void *memory[ATTN_RT_CUDA_MAX_TEMPORARIES] = {}, *other;
  EXPECT_EQ(attn_rt_cuda_allocate(&call, 0, &other), ATTN_RT_OK);
  EXPECT_EQ(other, nullptr);
  for (void *&one : memory) {
    EXPECT_EQ(attn_rt_cuda_allocate(&call, 1000, &one), ATTN_RT_OK);
    EXPECT_FALSE(isFreed(one));
  }
  EXPECT_EQ(attn_rt_cuda_allocate(&call, 1, &other), ATTN_RT_INTERNAL);
  EXPECT_STREQ(attn_rt_last_error(),
               "temporary device memory: at most 8 pieces in a call");
  EXPECT_EQ(attn_rt_cuda_allocate(&call, -1, &other), ATTN_RT_INVALID_VALUE);
  // Also when the call fails.
  EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_INTERNAL), ATTN_RT_INTERNAL);
  for (void *one : memory)
    EXPECT_TRUE(isFreed(one));
  EXPECT_EQ(fake.count("cuMemAlloc"), 0);
}

TEST_F(CudaMemory, FailuresOfTemporaries) {
  AttnRtCudaCall call;
  ASSERT_EQ(begin(call, stream), ATTN_RT_OK);
  fake.failures["cuMemAllocAsync"] = 2;
  void *memory = nullptr;
  EXPECT_EQ(attn_rt_cuda_allocate(&call, 1 << 20, &memory),
            ATTN_RT_OUT_OF_MEMORY);
  EXPECT_STREQ(attn_rt_last_error(),
               "1048576 bytes of temporary device memory: cuMemAllocAsync gave "
               "CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
  fake.failures.clear();
  ASSERT_EQ(attn_rt_cuda_allocate(&call, 1, &memory), ATTN_RT_OK);
  fake.failures["cuMemFreeAsync"] = 400;
  EXPECT_EQ(attn_rt_cuda_end(&call, ATTN_RT_OK), ATTN_RT_DEVICE_ERROR);
  EXPECT_STREQ(attn_rt_last_error(), "cuMemFreeAsync gave "
                                     "CUDA_ERROR_INVALID_HANDLE (invalid "
                                     "resource handle)");
}
