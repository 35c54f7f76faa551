//===- CpuFeatures.cpp - CPU features that code needs ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks LLVM which features a CPU has and sorts them into those that the runtime
// checks and those that generated code never touches.
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/HostABI/CpuFeatures.h"

#include "attn-rt/Cpu.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mlir;

/// Whether code generated for a feature's sake needs no check: the feature is
/// part of every x86-64, or its instructions are only made by intrinsics that
/// the compiler does not use, or it is advice to the code generator.
static bool needsNoCheck(StringRef feature) {
  static const llvm::StringSet<> names = {
      // Part of x86-64.
      "64bit", "64bit-mode", "cmov", "cx8", "fxsr", "mmx", "nopl", "sse",
      "sse2", "x87",
      // Implied by features that are checked.
      "avx10.1", "crc32", "evex512", "xsave",
      // Made by intrinsics only.
      "adx", "aes", "amx-avx512", "amx-bf16", "amx-complex", "amx-fp16",
      "amx-fp8", "amx-int8", "amx-movrs", "amx-tf32", "amx-tile",
      "avx512vp2intersect", "cldemote", "clflushopt", "clwb", "clzero",
      "enqcmd", "fsgsbase", "hreset", "invpcid", "kl", "lwp", "movdir64b",
      "movdiri", "movrs", "mwaitx", "pconfig", "pku", "prefetchi", "prfchw",
      "ptwrite", "raoint", "rdpid", "rdpru", "rdrnd", "rdseed", "rtm",
      "serialize", "sgx", "sha", "sha512", "shstk", "sm3", "sm4", "tsxldtrk",
      "uintr", "usermsr", "vaes", "waitpkg", "wbnoinvd", "widekl", "xsavec",
      "xsaveopt", "xsaves"};
  if (names.contains(feature))
    return true;
  for (StringRef prefix :
       {"allow-", "branch", "ermsb", "false-deps-", "fast-", "fsrm", "idiv",
        "lea-", "macrofusion", "no-bypass-", "prefer-", "sbb-", "slow-",
        "tuning", "use-", "vzeroupper"})
    if (feature.starts_with(prefix))
      return true;
  return false;
}

FailureOr<uint64_t> attn::getRequiredCpuFeatures(StringRef cpu,
                                                 StringRef features,
                                                 std::string &problem) {
  llvm::StringMap<bool> enabled;
  if (cpu == "host") {
    enabled = llvm::sys::getHostCPUFeatures();
  } else if (!cpu.empty()) {
    if (llvm::X86::parseArchX86(cpu, /*Only64Bit=*/true) ==
        llvm::X86::CK_None) {
      problem = ("'" + cpu +
                 "' is not an x86-64 CPU that LLVM knows; try "
                 "x86-64-v2, x86-64-v3 or x86-64-v4")
                    .str();
      return failure();
    }
    SmallVector<StringRef> ofCpu;
    llvm::X86::getFeaturesForCPU(cpu, ofCpu);
    // The list leaves out what its entries imply.
    for (StringRef feature : ofCpu) {
      enabled[feature] = true;
      llvm::X86::updateImpliedFeatures(feature, /*Enabled=*/true, enabled);
    }
  }
  SmallVector<StringRef> parts;
  features.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    bool isAdded = part.consume_front("+");
    if (!isAdded && !part.consume_front("-")) {
      problem = ("feature '" + part + "' expected to begin with + or -").str();
      return failure();
    }
    enabled[part] = isAdded;
    llvm::X86::updateImpliedFeatures(part, isAdded, enabled);
  }
  uint64_t bits = 0;
  SmallVector<StringRef> unknown;
  for (const auto &[feature, isEnabled] : enabled) {
    if (!isEnabled)
      continue;
    uint64_t bit = attn_rt_cpu_feature_bit(feature.str().c_str());
    bits |= bit;
    if (!bit && !needsNoCheck(feature))
      unknown.push_back(feature);
  }
  if (unknown.empty())
    return bits;
  llvm::sort(unknown);
  problem = "the runtime cannot check the CPU for " +
            llvm::join(unknown, ", ") + "; take these away by features=-" +
            llvm::join(unknown, ",-");
  return failure();
}
