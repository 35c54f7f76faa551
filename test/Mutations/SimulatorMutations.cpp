//===- SimulatorMutations.cpp - Does the simulator notice? ----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs every mutant of some asynchronous kernels in the simulator, over seeds,
// and lists which were noticed, by a fault or by other results, and which of
// them the checks of attn-gpu-verify report without running anything. A
// survivor is equal to its kernel by one of the arguments in Mutants.cpp, or it
// was missed. Fails if more than 5 % were missed by the simulator, or 10 % by
// the checks.
//
//   attn-simulator-mutations [--verbose]
//
//===----------------------------------------------------------------------===//

#include "../Unit/Simulator/ProductKernels.h"
#include "../Unit/Simulator/Programs.h"
#include "Mutants.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

static constexpr uint64_t kSeeds = 6;
static constexpr double kMostMissed = 0.05;
static constexpr double kMostUnreported = 0.1;

namespace {
/// What a run gave: faults, or all bits of the results.
struct Outcome {
  std::vector<Fault> faults;
  std::vector<double> results;
};

bool isSame(const Outcome &a, const Outcome &b) {
  if (!a.faults.empty() || !b.faults.empty() ||
      a.results.size() != b.results.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.results, b.results))
    if (llvm::bit_cast<uint64_t>(x) != llvm::bit_cast<uint64_t>(y))
      return false;
  return true;
}

/// A kernel, and how to run it.
struct Subject {
  std::string name;
  std::unique_ptr<Program> program;
  /// On one of several inputs.
  std::function<Outcome(ModuleOp, uint64_t seed)> run;
};
} // namespace

//===----------------------------------------------------------------------===//
// Subjects
//===----------------------------------------------------------------------===//

static Subject makeAttention(StringRef name, Mask mask, Stage stage,
                             int64_t queries, int64_t keys) {
  Subject subject;
  subject.name = name.str();
  subject.program =
      std::make_unique<Program>(getAttention(Element::BF16, 64, mask),
                                getPipeline(128, 64, getKernelPasses(stage)));
  std::mt19937 random(1);
  auto make = [&](int64_t rows) {
    return std::make_shared<HostTensor>(Element::BF16,
                                        ArrayRef<int64_t>{1, 1, rows, 64},
                                        makeNormal(random, rows * 64));
  };
  subject.run = [q = make(queries), k = make(keys),
                 v = make(keys)](ModuleOp module, uint64_t seed) {
    Options options;
    options.seed = seed;
    options.maxSteps = 1'000'000;
    options.persistentBlocks = 1;
    SmallVector<HostResult> results;
    Outcome outcome;
    outcome.faults = simulate(*module.getOps<func::FuncOp>().begin(),
                              {q->getTensor(), k->getTensor(), v->getTensor()},
                              options, results);
    for (const HostResult &result : results)
      llvm::append_range(outcome.results, getValues(result));
    return outcome;
  };
  return subject;
}

static Subject makeProducts(StringRef name, StringRef text, Stage stage,
                            ArrayRef<SmallVector<int64_t>> shapes,
                            int64_t blocks, int64_t cluster = 1) {
  Subject subject;
  subject.name = name.str();
  subject.program = std::make_unique<Program>(
      text, "builtin.module(attn_gpu.kernel(" +
                getKernelPasses(stage, 2, true, cluster) + "))");
  std::mt19937 random(1);
  SmallVector<std::shared_ptr<HostTensor>> inputs;
  for (const SmallVector<int64_t> &shape : shapes.drop_back())
    inputs.push_back(std::make_shared<HostTensor>(
        Element::BF16, shape, makeNormal(random, shape[0] * shape[1])));
  auto out = std::make_shared<HostTensor>(Element::F32, shapes.back());
  subject.run = [inputs, out, blocks](ModuleOp module, uint64_t seed) {
    Options options;
    options.seed = seed;
    options.blocks = blocks;
    options.maxSteps = 1'000'000;
    SmallVector<Argument> arguments;
    for (auto &input : inputs)
      arguments.push_back(input->getTensor());
    arguments.push_back(out->getTensor());
    out->poison();
    Outcome outcome;
    outcome.faults =
        simulate(*module.getOps<KernelOp>().begin(), arguments, options);
    outcome.results = out->getValues();
    return outcome;
  };
  return subject;
}

static std::vector<Subject> makeSubjects() {
  std::vector<Subject> subjects;
  subjects.push_back(makeAttention("attention, causal, copies", Mask::Causal,
                                   Stage::Copies, 128, 300));
  subjects.push_back(makeAttention("attention, full, pipeline", Mask::Full,
                                   Stage::Pipeline, 128, 300));
  subjects.push_back(makeAttention("attention, causal, roles", Mask::Causal,
                                   Stage::Roles, 128, 300));
  subjects.push_back(makeAttention("attention, causal, split", Mask::Causal,
                                   Stage::Split, 128, 400));
  subjects.push_back(makeAttention("attention, window, split", Mask::WideWindow,
                                   Stage::Split, 128, 400));
  // One block runs three points, whose ends and beginnings overlap.
  subjects.push_back(makeAttention("attention, causal, flattened", Mask::Causal,
                                   Stage::Dynamic, 300, 400));
  subjects.push_back(
      makeProducts("chain, flattened", getChainOfSteps(), Stage::Dynamic,
                   {{300, 64}, {130, 64}, {130, 64}, {300, 64}}, 1));
  // Two blocks share what they walk, at three points; the sixth tile is none.
  subjects.push_back(makeProducts(
      "chain, clusters, flattened", getChainOfSteps(), Stage::Strided,
      {{600, 64}, {130, 64}, {130, 64}, {600, 64}}, 2, 2));
  subjects.push_back(makeProducts("product, split", kProduct, Stage::Split,
                                  {{128, 300}, {300, 128}, {128, 128}}, 1));
  subjects.push_back(makeProducts("chain, split", kChain, Stage::Split,
                                  {{128, 64}, {300, 64}, {300, 64}, {128, 64}},
                                  1));
  for (Subject &subject : subjects)
    if (StringRef(subject.name).ends_with("flattened") !=
        isFlattened(subject.program->getKernel()))
      llvm::report_fatal_error("is flattened, or not, unlike its name");
  return subjects;
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

namespace {
struct Count {
  int64_t all = 0, byFault = 0, byResult = 0, equivalent = 0, missed = 0;
  /// Of those that the simulator noticed, and of all others.
  int64_t reported = 0, reportedEqual = 0;
};

class Tester {
public:
  explicit Tester(bool verbose) : verbose(verbose) {}

  void test(Subject &subject) {
    KernelOp kernel = subject.program->getKernel();
    auto module = cast<ModuleOp>(kernel->getParentOp());
    Outcome right = subject.run(module, 0);
    for (uint64_t seed = 0; seed < kSeeds; ++seed)
      if (!isSame(right, subject.run(module, seed)))
        llvm::report_fatal_error("the kernel itself is wrong");
    if (isReported(kernel))
      llvm::report_fatal_error("the kernel itself is reported");
    for (const Mutation &mutation : listMutations(kernel))
      test(subject, kernel, mutation, right);
  }

  LogicalResult report() {
    constexpr char kRow[] = "{0,-34}{1,8}{2,8}{3,8}{4,8}{5,8}{6,10}{7,8}\n";
    llvm::outs() << llvm::formatv(kRow, "mutation", "all", "fault", "result",
                                  "equal", "missed", "reported", "strict");
    Count total;
    auto print = [&](StringRef name, const Count &count) {
      llvm::outs() << llvm::formatv(
          kRow, name, count.all, count.byFault, count.byResult,
          count.equivalent, count.missed, count.reported, count.reportedEqual);
    };
    for (auto &[name, count] : counts) {
      print(name, count);
      total.all += count.all;
      total.byFault += count.byFault;
      total.byResult += count.byResult;
      total.equivalent += count.equivalent;
      total.missed += count.missed;
      total.reported += count.reported;
      total.reportedEqual += count.reportedEqual;
    }
    print("all", total);
    for (auto &[argument, number] : arguments)
      llvm::outs() << "equal (" << number << "): " << argument << "\n";
    for (const std::string &text : missed)
      llvm::outs() << "missed: " << text << "\n";
    int64_t wrong = total.all - total.equivalent;
    int64_t noticed = total.byFault + total.byResult;
    return success(wrong > 0 && total.missed <= kMostMissed * wrong &&
                   noticed - total.reported <= kMostUnreported * noticed);
  }

private:
  /// Whether attn-gpu-verify reports an error.
  static bool isReported(KernelOp kernel) {
    return llvm::any_of(findKernelFaults(kernel),
                        [](const KernelFault &fault) { return !fault.isSlow; });
  }

  void test(Subject &subject, KernelOp kernel, const Mutation &mutation,
            const Outcome &right) {
    OwningOpRef<ModuleOp> mutant = applyMutation(kernel, mutation);
    std::string name = mutation.name + " " + mutation.op;
    if (!mutation.other.empty())
      name += ", " + mutation.other;
    Count &count = counts[name];
    ++count.all;
    bool reported = isReported(*mutant->getOps<KernelOp>().begin());
    std::string what = llvm::formatv("{0}: {1}, operation {2}", subject.name,
                                     name, mutation.index);
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      Outcome outcome = subject.run(*mutant, seed);
      if (isSame(right, outcome))
        continue;
      ++(outcome.faults.empty() ? count.byResult : count.byFault);
      count.reported += reported;
      if (!reported && verbose)
        llvm::outs() << "not reported: " << what << "\n";
      if (verbose)
        llvm::outs() << "noticed: " << what << ", seed " << seed << ": "
                     << (outcome.faults.empty() ? "other results"
                                                : outcome.faults.front().text)
                     << "\n";
      return;
    }
    count.reportedEqual += reported;
    if (reported && verbose)
      llvm::outs() << "reported, though nobody notices: " << what << "\n";
    if (mutation.equivalence.empty()) {
      ++count.missed;
      missed.push_back(what);
      return;
    }
    ++count.equivalent;
    ++arguments[mutation.equivalence];
    if (verbose)
      llvm::outs() << "equal: " << what << "\n";
  }

  bool verbose;
  std::map<std::string, Count> counts;
  std::map<std::string, int64_t> arguments;
  std::vector<std::string> missed;
};
} // namespace

int main(int argc, char **argv) {
  Tester tester(argc > 1 && StringRef(argv[1]) == "--verbose");
  for (Subject &subject : makeSubjects())
    tester.test(subject);
  return succeeded(tester.report()) ? 0 : 1;
}
