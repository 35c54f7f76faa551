//===- WrongKernels.h - Kernels that are wrong in one way -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What small kernels that are wrong have in common: tensors, all orders of a
// run, and what is said of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_SIMULATOR_WRONGKERNELS_H
#define ATTN_TEST_UNIT_SIMULATOR_WRONGKERNELS_H

#include "Programs.h"
#include "attn/Dialect/AttnGPU/Analysis/KernelFaults.h"
#include "gtest/gtest.h"

namespace mlir::attn::sim {

struct Wrong {
  const char *name;
  int64_t warpgroups;
  FaultKind kind;
  /// In the report, its notes included.
  const char *text;
  const char *body;
};

inline std::ostream &operator<<(std::ostream &out, const Wrong &wrong) {
  return out << wrong.name;
}

/// A kernel and its tensors, of 256 rows of 64 bf16: the first has ones, others
/// NaN.
class WrongProgram {
public:
  explicit WrongProgram(StringRef text, int64_t blocks = Options().blocks)
      : program(text), blocks(blocks) {
    for (size_t n = 0; n < getKernelOp().getArgumentTypes().size(); ++n)
      if (n == 0)
        tensors.emplace_back(Element::BF16, kShape,
                             std::vector<double>(kShape[0] * kShape[1], 1));
      else
        tensors.emplace_back(Element::BF16, kShape);
  }

  attn_gpu::KernelOp getKernelOp() { return program.getKernel(); }

  std::vector<Fault> run(uint64_t seed) {
    Options options;
    options.seed = seed;
    options.blocks = blocks;
    options.maxSteps = 10000;
    std::vector<Argument> arguments;
    for (HostTensor &tensor : tensors)
      arguments.push_back(tensor.getTensor());
    return simulate(getKernelOp(), arguments, options);
  }

  /// Calls `expect` with the faults of each order.
  void forEachOrder(function_ref<void(ArrayRef<Fault>)> expect) {
    for (uint64_t seed = 0; seed < 16; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      expect(run(seed));
    }
  }

  /// In each order `wrong` is the first report.
  void expectReport(const Wrong &wrong) {
    forEachOrder([&](ArrayRef<Fault> faults) {
      ASSERT_FALSE(faults.empty());
      EXPECT_EQ(faults[0].kind, wrong.kind) << faults[0].str();
      EXPECT_NE(faults[0].str().find(wrong.text), std::string::npos)
          << faults[0].str();
    });
  }

  bool isRefusedByTheVerifier() {
    return llvm::any_of(
        findKernelFaults(getKernelOp()),
        [](const attn_gpu::KernelFault &fault) { return !fault.isSlow; });
  }

private:
  static constexpr int64_t kShape[] = {256, 64};

  Program program;
  int64_t blocks;
  std::vector<HostTensor> tensors;
};

} // namespace mlir::attn::sim

#endif // ATTN_TEST_UNIT_SIMULATOR_WRONGKERNELS_H
