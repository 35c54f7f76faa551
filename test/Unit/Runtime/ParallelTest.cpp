//===- ParallelTest.cpp - Tests of the thread pool ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each index once, nesting, concurrent callers, balance, number of threads,
// floating-point state, signals, fork, and an idle pool that uses no CPU.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Parallel.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <numeric>
#include <set>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

/// Runs a callable as a parallel loop.
template <typename Body>
void parallelFor(int64_t count, Body &&body) {
  attn_rt_parallel_for(
      [](void *context, int64_t index) {
        (*static_cast<std::remove_reference_t<Body> *>(context))(index);
      },
      &body, count);
}

/// Sets the number of threads for one test.
struct Threads {
  explicit Threads(int32_t count) {
    EXPECT_EQ(attn_rt_set_num_threads(count), ATTN_RT_OK);
  }
  ~Threads() { attn_rt_set_num_threads(0); }
};

/// Blocks until `count` threads have arrived; false after 20 seconds. Proves
/// that so many bodies run at the same time.
class Meeting {
public:
  explicit Meeting(int count) : missing(count) {}
  bool arrive() {
    std::unique_lock<std::mutex> lock(mutex);
    if (--missing <= 0)
      condition.notify_all();
    return condition.wait_for(lock, std::chrono::seconds(20),
                              [&] { return missing <= 0; });
  }

private:
  std::mutex mutex;
  std::condition_variable condition;
  int missing;
};

} // namespace

TEST(Parallel, EachIndexOnceAndVisibleAfterwards) {
  for (int32_t threads : {1, 2, 3, 8}) {
    Threads setting(threads);
    for (int64_t count : {1, 2, 7, 64, 1000}) {
      std::vector<int> calls(count); // no atomics: the loop must order them
      parallelFor(count, [&](int64_t index) { ++calls[index]; });
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(calls[i], 1) << threads << " threads, index " << i;
    }
  }
}

TEST(Parallel, NoIterationsDoNothing) {
  for (int64_t count : {INT64_C(0), INT64_C(-1), INT64_MIN})
    parallelFor(count, [](int64_t) { FAIL(); });
}

TEST(Parallel, BodiesRunAtTheSameTime) {
  Threads setting(4);
  Meeting meeting(4);
  parallelFor(4, [&](int64_t) { EXPECT_TRUE(meeting.arrive()); });
}

TEST(Parallel, FewerThreadsAfterMore) {
  {
    Threads setting(6);
    Meeting meeting(6);
    parallelFor(6, [&](int64_t) { EXPECT_TRUE(meeting.arrive()); });
  }
  Threads setting(2);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  parallelFor(100, [&](int64_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::lock_guard<std::mutex> lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_LE(ids.size(), 2u);
}

TEST(Parallel, OneThreadRunsInOrder) {
  Threads setting(1);
  std::vector<int64_t> order;
  parallelFor(50, [&](int64_t index) { order.push_back(index); });
  std::vector<int64_t> expected(50);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(Parallel, NestedLoopsRunInTheirOwnThread) {
  Threads setting(4);
  std::atomic<int> calls{0};
  parallelFor(8, [&](int64_t) {
    std::thread::id outer = std::this_thread::get_id();
    parallelFor(16, [&](int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), outer);
      ++calls;
    });
  });
  EXPECT_EQ(calls, 8 * 16);
  // And the pool is whole again.
  Meeting meeting(4);
  parallelFor(4, [&](int64_t) { EXPECT_TRUE(meeting.arrive()); });
}

TEST(Parallel, ALoopOfOneDoesNotNest) {
  Threads setting(4);
  Meeting meeting(4);
  parallelFor(1, [&](int64_t) {
    parallelFor(4, [&](int64_t) { EXPECT_TRUE(meeting.arrive()); });
  });
}

TEST(Parallel, ManyCallers) {
  Threads setting(3);
  std::vector<std::thread> callers;
  std::atomic<int64_t> wrong{0};
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 200; ++round) {
        int64_t count = 1 + (caller * 37 + round) % 50;
        std::vector<int64_t> values(count);
        parallelFor(count, [&](int64_t i) { values[i] += i + caller; });
        for (int64_t i = 0; i < count; ++i)
          wrong += values[i] != i + caller;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Parallel, UnequalIterationsBalance) {
  // While one thread is held by iteration 0, the others run all of the rest.
  Threads setting(2);
  std::mutex mutex;
  std::condition_variable condition;
  int done = 0;
  bool balanced = false;
  parallelFor(40, [&](int64_t index) {
    std::unique_lock<std::mutex> lock(mutex);
    if (index == 0) {
      balanced = condition.wait_for(lock, std::chrono::seconds(20),
                                    [&] { return done == 39; });
      return;
    }
    if (++done == 39)
      condition.notify_all();
  });
  EXPECT_TRUE(balanced);
}

TEST(Parallel, NumberOfThreads) {
  int32_t normal = attn_rt_get_num_threads();
  EXPECT_GE(normal, 1);
  EXPECT_EQ(attn_rt_set_num_threads(5), ATTN_RT_OK);
  EXPECT_EQ(attn_rt_get_num_threads(), 5);
  EXPECT_EQ(attn_rt_set_num_threads(-1), ATTN_RT_INVALID_VALUE);
  EXPECT_EQ(attn_rt_last_error(),
            std::string("number of threads expected from 1 to 4096, or 0 for "
                        "the default, got -1"));
  EXPECT_EQ(attn_rt_set_num_threads(ATTN_RT_MAX_THREADS + 1),
            ATTN_RT_INVALID_VALUE);
  EXPECT_EQ(attn_rt_get_num_threads(), 5);
  EXPECT_EQ(attn_rt_set_num_threads(0), ATTN_RT_OK);
  EXPECT_EQ(attn_rt_get_num_threads(), normal);
}

#if defined(__x86_64__)
TEST(Parallel, BodiesHaveTheCallersFloatState) {
  Threads setting(4);
  unsigned before = _mm_getcsr();
  constexpr unsigned flushToZero = 0x8000, controls = 0xffc0;
  for (unsigned state : {before | flushToZero, before & ~flushToZero}) {
    _mm_setcsr(state);
    Meeting meeting(4);
    parallelFor(4, [&](int64_t) {
      EXPECT_TRUE(meeting.arrive());
      EXPECT_EQ(_mm_getcsr() & controls, state & controls);
    });
  }
  _mm_setcsr(before);
}
#endif

TEST(Parallel, WorkersTakeNoSignals) {
  Threads setting(4);
  std::thread::id caller = std::this_thread::get_id();
  Meeting meeting(4);
  parallelFor(4, [&](int64_t) {
    EXPECT_TRUE(meeting.arrive());
    if (std::this_thread::get_id() == caller)
      return;
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGINT), 1);
    EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
  });
}

TEST(Parallel, IdleWorkersSleep) {
  Threads setting(2);
  parallelFor(8, [](int64_t) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  auto cpuTime = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
  };
  double before = cpuTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(cpuTime() - before, 0.05);
}

#if !defined(__SANITIZE_THREAD__)
TEST(Parallel, ForkedChildGetsItsOwnPool) {
  Threads setting(4);
  {
    Meeting meeting(4);
    parallelFor(4, [&](int64_t) { EXPECT_TRUE(meeting.arrive()); });
  }
  // Other threads keep the pool busy while the process forks.
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop)
      parallelFor(8, [](int64_t) {});
  });
  for (int round = 0; round < 5; ++round) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20); // a hang fails the test instead of holding it up
      Meeting meeting(4);
      std::atomic<int> met{0};
      parallelFor(4, [&](int64_t) { met += meeting.arrive(); });
      _exit(met == 4 ? 0 : 1);
    }
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  busy.join();
  // The parent's pool still works.
  Meeting meeting(4);
  parallelFor(4, [&](int64_t) { EXPECT_TRUE(meeting.arrive()); });
}

// The environment is read once in a process: ask one that starts afresh.
static std::string runWithThreads(const char *value) {
  int out[2];
  EXPECT_EQ(pipe(out), 0);
  pid_t child = fork();
  if (child == 0) {
    setenv("ATTN_NUM_THREADS", value, 1);
    setenv("ATTN_TEST_PRINT_THREADS", "1", 1);
    dup2(out[1], STDOUT_FILENO);
    dup2(out[1], STDERR_FILENO);
    execl("/proc/self/exe", "RuntimeTests",
          "--gtest_filter=Parallel.EnvironmentSetsTheDefault", nullptr);
    _exit(127);
  }
  close(out[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n; (n = read(out[0], buffer, sizeof(buffer))) > 0;)
    text.append(buffer, n);
  close(out[0]);
  int status;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return text;
}

TEST(Parallel, EnvironmentSetsTheDefault) {
  if (getenv("ATTN_TEST_PRINT_THREADS")) { // the child
    printf("threads=%d.\n", attn_rt_get_num_threads());
    return;
  }
  EXPECT_NE(runWithThreads("3").find("threads=3."), std::string::npos);
  std::string cpus =
      "threads=" + std::to_string(std::thread::hardware_concurrency()) + ".";
  EXPECT_NE(runWithThreads("").find(cpus), std::string::npos);
  for (const char *bad : {"0", "-2", "many", "3x", "99999999999999999999"}) {
    std::string text = runWithThreads(bad);
    EXPECT_NE(text.find(cpus), std::string::npos) << text;
    EXPECT_NE(text.find("ATTN_NUM_THREADS expected a number from 1 to 4096, "
                        "got '" +
                        std::string(bad) + "'"),
              std::string::npos)
        << text;
  }
}
#endif
