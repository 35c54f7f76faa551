//===- Parallel.cpp - The runtime's thread pool ---------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Jobs in flight form a list under one mutex; idle workers join any job that
// has work and a place left, and take its indices from an atomic counter. A job
// lives on its caller's stack: the caller takes it off the list when the
// indices have run out, then waits for the workers that joined it.
//
//===----------------------------------------------------------------------===//

#include "attn-rt/Parallel.h"

#include "ErrorText.h"

#include <atomic>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <fenv.h>
#endif

namespace {

//===----------------------------------------------------------------------===//
// Floating-point control state and waiting
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
using FloatState = unsigned; // MXCSR; the x87 unit runs no generated code
FloatState getFloatState() { return _mm_getcsr(); }
void setFloatState(FloatState state) { _mm_setcsr(state); }
void pause() { _mm_pause(); }
#else
using FloatState = fenv_t;
FloatState getFloatState() {
  FloatState state;
  fegetenv(&state);
  return state;
}
void setFloatState(const FloatState &state) { fesetenv(&state); }
void pause() {}
#endif

/// How long a thread looks for news before it sleeps. About twice what waking
/// a sleeping thread costs, so that loops in close succession never sleep and
/// an idle process stops using the CPU at once.
constexpr int64_t kSpinNanoseconds = 20000;

int64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

/// Waits for `condition` for a short while; whether it became true.
template <typename Condition>
bool spinUntil(bool maySpin, Condition condition) {
  if (condition())
    return true;
  if (!maySpin)
    return false;
  int64_t deadline = now() + kSpinNanoseconds;
  do {
    for (int i = 0; i < 16; ++i) {
      if (condition())
        return true;
      pause();
    }
  } while (now() < deadline);
  return false;
}

//===----------------------------------------------------------------------===//
// Number of threads
//===----------------------------------------------------------------------===//

std::atomic<int32_t> requestedThreads{0}; // 0: the default
std::atomic<int32_t> defaultThreads{0};   // 0: not known yet
std::atomic<int32_t> availableCpus{0};    // 0: not known yet

int32_t countAvailableCpus() {
  int32_t count = availableCpus.load(std::memory_order_relaxed);
  if (count)
    return count;
#if defined(__linux__)
  // The kernel refuses a set smaller than its own; grow until it fits.
  for (int cpus = 1024; cpus <= 1 << 20 && !count; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      break;
    size_t size = CPU_ALLOC_SIZE(cpus);
    if (sched_getaffinity(0, size, set) == 0)
      count = CPU_COUNT_S(size, set);
    CPU_FREE(set);
  }
#endif
  if (!count)
    count = static_cast<int32_t>(sysconf(_SC_NPROCESSORS_ONLN));
  if (count < 1)
    count = 1;
  if (count > ATTN_RT_MAX_THREADS)
    count = ATTN_RT_MAX_THREADS;
  availableCpus.store(count, std::memory_order_relaxed);
  return count;
}

int32_t computeDefaultThreads() {
  int32_t cpus = countAvailableCpus();
  const char *text = getenv("ATTN_NUM_THREADS");
  if (!text || !*text)
    return cpus;
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (!errno && !*end && value >= 1 && value <= ATTN_RT_MAX_THREADS)
    return static_cast<int32_t>(value);
  // There is no caller to return an error to; being quiet would be worse.
  fprintf(stderr,
          "attn-rt: ATTN_NUM_THREADS expected a number from 1 to %d, got "
          "'%s'; using %d threads\n",
          ATTN_RT_MAX_THREADS, text, cpus);
  return cpus;
}

//===----------------------------------------------------------------------===//
// The pool
//===----------------------------------------------------------------------===//

struct Job {
  void (*body)(void *context, int64_t index);
  void *context;
  int64_t count;
  FloatState floatState;
  std::atomic<int64_t> next{0};
  std::atomic<int32_t> helpers{0}; // workers in it; changed under the mutex
  int32_t places = 0;              // workers that may yet join; same
  Job *link = nullptr;             // same

  bool hasWork() const {
    return places > 0 && next.load(std::memory_order_relaxed) < count;
  }

  /// Runs indices until none is left. Taking one is relaxed: the mutex orders
  /// what the caller wrote before, `helpers` what the workers wrote.
  void work() {
    for (;;) {
      int64_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count)
        return;
      body(context, index);
    }
  }
};

struct Pool {
  pthread_mutex_t mutex;
  pthread_cond_t posted;   // a job was posted
  pthread_cond_t finished; // the last worker has left some job
  Job *jobs;
  int32_t workers;
  int32_t sleepers; // workers that wait for `posted`
};

// Static and never destroyed: workers may outlive main().
Pool pool = {PTHREAD_MUTEX_INITIALIZER,
             PTHREAD_COND_INITIALIZER,
             PTHREAD_COND_INITIALIZER,
             nullptr,
             0,
             0};
std::atomic<uint32_t> postCount{0}; // what idle workers watch
std::atomic<bool> maySpin{true};

/// Set while this thread runs the bodies of a loop.
thread_local bool insideLoop = false;

Job *findJob() {
  for (Job *job = pool.jobs; job; job = job->link)
    if (job->hasWork())
      return job;
  return nullptr;
}

void *runWorker(void *) {
  insideLoop = true;
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    if (Job *job = findJob()) {
      --job->places;
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      pthread_mutex_unlock(&pool.mutex);
      setFloatState(job->floatState);
      job->work();
      pthread_mutex_lock(&pool.mutex);
      // The caller may return as soon as this is 0: `job` is gone after it.
      if (job->helpers.fetch_sub(1, std::memory_order_release) == 1)
        pthread_cond_broadcast(&pool.finished);
      continue;
    }
    uint32_t seen = postCount.load(std::memory_order_relaxed);
    auto isPosted = [&] {
      return postCount.load(std::memory_order_relaxed) != seen;
    };
    pthread_mutex_unlock(&pool.mutex);
    bool posted = spinUntil(maySpin.load(std::memory_order_relaxed), isPosted);
    pthread_mutex_lock(&pool.mutex);
    if (!posted && !isPosted()) {
      ++pool.sleepers;
      pthread_cond_wait(&pool.posted, &pool.mutex);
      --pool.sleepers;
    }
  }
  return nullptr;
}

void lockPool() { pthread_mutex_lock(&pool.mutex); }
void unlockPool() { pthread_mutex_unlock(&pool.mutex); }

/// In a forked child only the forking thread exists: begin afresh.
void resetPool() {
  pthread_mutex_init(&pool.mutex, nullptr);
  pthread_cond_init(&pool.posted, nullptr);
  pthread_cond_init(&pool.finished, nullptr);
  pool.jobs = nullptr;
  pool.workers = 0;
  pool.sleepers = 0;
}

pthread_once_t forkHandlersOnce = PTHREAD_ONCE_INIT;
void addForkHandlers() { pthread_atfork(lockPool, unlockPool, resetPool); }

/// Starts workers until there are `wanted`, or as many as the system gives: a
/// loop is right with any number of them. The mutex is held.
void startWorkers(int32_t wanted) {
  if (pool.workers >= wanted)
    return;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Bodies keep tiles on the stack; a main thread usually has this much.
  pthread_attr_setstacksize(&attributes, size_t(8) << 20);
  // Signals belong to the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (pool.workers < wanted) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, runWorker, nullptr) != 0)
      break;
#if defined(__linux__)
    pthread_setname_np(thread, "attn-worker");
#endif
    ++pool.workers;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

void post(Job &job) {
  pthread_once(&forkHandlersOnce, addForkHandlers);
  lockPool();
  startWorkers(job.places);
  job.link = pool.jobs;
  pool.jobs = &job;
  postCount.fetch_add(1, std::memory_order_relaxed);
  if (job.places < pool.sleepers) {
    for (int32_t i = 0; i < job.places; ++i)
      pthread_cond_signal(&pool.posted);
  } else if (pool.sleepers > 0) {
    pthread_cond_broadcast(&pool.posted);
  }
  unlockPool();
}

void finish(Job &job) {
  lockPool();
  Job **place = &pool.jobs;
  while (*place != &job)
    place = &(*place)->link;
  *place = job.link;
  unlockPool();
  auto isLeft = [&] {
    return job.helpers.load(std::memory_order_acquire) == 0;
  };
  if (spinUntil(maySpin.load(std::memory_order_relaxed), isLeft))
    return;
  lockPool();
  while (!isLeft())
    pthread_cond_wait(&pool.finished, &pool.mutex);
  unlockPool();
}

} // namespace

void attn_rt_parallel_for(void (*body)(void *context, int64_t index),
                          void *context, int64_t count) {
  int64_t threads = count > 1 && !insideLoop ? attn_rt_get_num_threads() : 1;
  if (threads == 1) {
    // A single iteration is no loop to be nested in: its own loops may spread.
    for (int64_t index = 0; index < count; ++index)
      body(context, index);
    return;
  }
  Job job;
  job.body = body;
  job.context = context;
  job.count = count;
  job.floatState = getFloatState();
  job.places = static_cast<int32_t>((count < threads ? count : threads) - 1);
  post(job);
  insideLoop = true;
  job.work();
  insideLoop = false;
  finish(job);
}

AttnRtStatus attn_rt_set_num_threads(int32_t count) {
  if (count < 0 || count > ATTN_RT_MAX_THREADS) {
    attn::rt::clearErrorText();
    attn::rt::appendErrorText(
        "number of threads expected from 1 to %d, or 0 for the default, got %d",
        ATTN_RT_MAX_THREADS, count);
    return ATTN_RT_INVALID_VALUE;
  }
  requestedThreads.store(count, std::memory_order_relaxed);
  // With more threads than CPUs, one that spins keeps another from working.
  maySpin.store(attn_rt_get_num_threads() <= countAvailableCpus(),
                std::memory_order_relaxed);
  return ATTN_RT_OK;
}

int32_t attn_rt_get_num_threads(void) {
  if (int32_t count = requestedThreads.load(std::memory_order_relaxed))
    return count;
  int32_t count = defaultThreads.load(std::memory_order_relaxed);
  if (!count) {
    count = computeDefaultThreads();
    if (count > countAvailableCpus())
      maySpin.store(false, std::memory_order_relaxed);
    defaultThreads.store(count, std::memory_order_relaxed);
  }
  return count;
}
