//===- PtxasTest.cpp - finding and running ptxas --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the search, with programs made here; spills in and out of loops,
// where there is a ptxas.
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX/Ptxas.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A folder of its own and the environment as it was, after each test.
class PtxasSearch : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("attn-ptxas-test", root));
    for (const char *name : names)
      if (const char *value = getenv(name))
        before.emplace_back(name, value);
    unsetenv("ATTN_PTXAS");
    unsetenv("CUDA_HOME");
    setenv("PATH", "/nowhere", 1);
  }

  void TearDown() override {
    for (const char *name : names)
      unsetenv(name);
    for (auto &[name, value] : before)
      setenv(name.c_str(), value.c_str(), 1);
    EXPECT_FALSE(llvm::sys::fs::remove_directories(root));
  }

  /// Makes `folder`/ptxas under the root and returns the folder.
  std::string add(StringRef folder, StringRef script = "#!/bin/sh\n") {
    SmallString<128> path(root);
    llvm::sys::path::append(path, folder);
    EXPECT_FALSE(llvm::sys::fs::create_directories(path));
    std::string result = path.str().str();
    llvm::sys::path::append(path, "ptxas");
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    EXPECT_FALSE(code);
    os << script;
    os.close();
    EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
    return result;
  }

  static std::string found(StringRef option = "") {
    auto ptxas = Ptxas::find(option);
    if (!ptxas)
      return "error: " + llvm::toString(ptxas.takeError());
    return ptxas->path();
  }

  static constexpr const char *names[] = {"ATTN_PTXAS", "CUDA_HOME", "PATH"};
  SmallString<128> root;
  std::vector<std::pair<std::string, std::string>> before;
};

} // namespace

TEST_F(PtxasSearch, Order) {
  std::string option = add("option"), variable = add("variable"),
              home = add("cuda/bin"), path = add("path");
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(found(), path + "/ptxas");
  setenv("CUDA_HOME", (root + "/cuda").str().c_str(), 1);
  EXPECT_EQ(found(), home + "/ptxas");
  setenv("ATTN_PTXAS", variable.c_str(), 1);
  EXPECT_EQ(found(), variable + "/ptxas");
  EXPECT_EQ(found(option), option + "/ptxas");
  EXPECT_EQ(found(option + "/ptxas"), option + "/ptxas");
}

/// What the user named is not replaced by another.
TEST_F(PtxasSearch, NamedAndAbsent) {
  std::string path = add("path");
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(found("/nowhere/x"),
            "error: no ptxas at '/nowhere/x', which an option names: expected "
            "the program or the folder it is in");
  setenv("ATTN_PTXAS", "/nowhere/y", 1);
  EXPECT_EQ(found(),
            "error: no ptxas at '/nowhere/y', which ATTN_PTXAS names: expected "
            "the program or the folder it is in");
}

TEST_F(PtxasSearch, CudaHomeWithoutItIsPassedOver) {
  std::string path = add("path");
  setenv("PATH", path.c_str(), 1);
  setenv("CUDA_HOME", (root + "/empty").str().c_str(), 1);
  EXPECT_EQ(found(), path + "/ptxas");
}

TEST_F(PtxasSearch, Nowhere) {
  setenv("CUDA_HOME", "/nowhere", 1);
  std::string text = found();
  if (StringRef(text).starts_with("/usr/local/cuda"))
    GTEST_SKIP() << "this machine has the last place of the search";
  EXPECT_EQ(text, "error: no ptxas found (looked at /nowhere/bin/ptxas, PATH, "
                  "/usr/local/cuda/bin/ptxas): it comes with the CUDA toolkit; "
                  "name it in ATTN_PTXAS");
}

TEST_F(PtxasSearch, ProgramsThatFail) {
  auto text = [&](StringRef folder, StringRef script) {
    auto ptxas = Ptxas::find(add(folder, script));
    EXPECT_TRUE(bool(ptxas));
    auto result = ptxas->assemble(".version 8.7\n", "sm_90a");
    return result ? "" : llvm::toString(result.takeError());
  };
  EXPECT_EQ(text("quiet", "#!/bin/sh\nexit 3\n"),
            "'" + (root + "/quiet/ptxas").str() +
                "' refuses the PTX for sm_90a: ");
  EXPECT_EQ(text("loud", "#!/bin/sh\necho 'ptxas f, line 3; error   : no'\n"
                         "exit 255\n"),
            "'" + (root + "/loud/ptxas").str() +
                "' refuses the PTX for sm_90a: line 3: no");
  EXPECT_NE(text("none", "not a script").find("none/ptxas'"),
            std::string::npos);
  auto version = Ptxas::find(add("old", "#!/bin/sh\necho V1\n"))->version();
  EXPECT_EQ(llvm::toString(version.takeError()),
            "'" + (root + "/old/ptxas").str() +
                "' does not tell its version: V1\n");
}

//===----------------------------------------------------------------------===//
// The real one
//===----------------------------------------------------------------------===//

/// 120 values that live across a loop under a limit of 32 registers. In the
/// loop they are updated, or only one other value is.
static std::string spillingKernel(bool inside) {
  constexpr int count = 120;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << ".version 8.7\n.target sm_90a\n.address_size 64\n"
        ".visible .entry spilling(.param .u64 pp, .param .u32 nn)\n"
        ".maxnreg 32\n{\n.reg .f32 %f<"
     << count + 2
     << ">;\n.reg .b64 %d;\n.reg .b32 %r;\n.reg .pred %p;\n"
        "ld.param.u64 %d, [pp];\nld.param.u32 %r, [nn];\n"
        "mov.f32 %f0, 0f00000000;\n";
  for (int i = 1; i <= count; ++i)
    os << "ld.volatile.global.f32 %f" << i << ", [%d+" << 4 * i << "];\n";
  os << "LOOP:\nld.volatile.global.f32 %f" << count + 1 << ", [%d];\n"
     << "add.f32 %f0, %f0, %f" << count + 1 << ";\n";
  for (int i = 1; inside && i <= count; ++i)
    os << "fma.rn.f32 %f" << i << ", %f" << i << ", %f" << i << ", %f0;\n";
  os << "sub.s32 %r, %r, 1;\nsetp.gt.s32 %p, %r, 0;\n@%p bra LOOP;\n";
  for (int i = 0; i <= count; ++i)
    os << "st.volatile.global.f32 [%d+" << 4 * i << "], %f" << i << ";\n";
  os << "ret;\n}\n";
  return text;
}

TEST(Ptxas, SpillsInAndOutOfLoops) {
  auto ptxas = Ptxas::find();
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  for (bool inside : {true, false}) {
    auto result = ptxas->assemble(spillingKernel(inside), "sm_90a");
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_TRUE(StringRef(result->cubin)
                    .starts_with("\x7f"
                                 "ELF"));
    const PtxasFunction *kernel = result->report.find("spilling");
    ASSERT_TRUE(kernel);
    EXPECT_TRUE(kernel->spills());
    ASSERT_TRUE(kernel->local);
    // The same bytes as ptxas counts.
    EXPECT_EQ(kernel->local->storeBytes, kernel->spillStoreBytes);
    EXPECT_EQ(kernel->local->loadBytes, kernel->spillLoadBytes);
    EXPECT_EQ(kernel->maySpillInLoop(), inside);
    EXPECT_EQ(kernel->maySpillInMainLoop(), inside);
    EXPECT_EQ(kernel->local->loopStoreBytes > 0, inside);
    EXPECT_EQ(kernel->local->mainLoopStoreBytes, kernel->local->loopStoreBytes);
    // Even in the worst kernel something is spilled before the loop.
    EXPECT_LT(kernel->local->loopStoreBytes, kernel->local->storeBytes);
  }
}

TEST(Ptxas, Version) {
  auto ptxas = Ptxas::find();
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  auto version = ptxas->version();
  ASSERT_TRUE(bool(version)) << llvm::toString(version.takeError());
  EXPECT_GE(std::stod(*version), 11.0);
}

TEST(Ptxas, RefusesWrongText) {
  auto ptxas = Ptxas::find();
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  auto result =
      ptxas->assemble(".version 8.7\n.target sm_90a\n.address_size 64\n"
                      ".visible .entry k() { add.u64 %r1, %r2, 5; ret; }\n",
                      "sm_90a");
  ASSERT_FALSE(bool(result));
  std::string text = llvm::toString(result.takeError());
  EXPECT_NE(text.find("line 4: Unknown symbol '%r1'"), std::string::npos)
      << text;
}
