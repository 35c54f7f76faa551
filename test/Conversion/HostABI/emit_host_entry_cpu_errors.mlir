// RUN: not attn-opt %s --attn-emit-host-entry="cpu=pdp11" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not attn-opt %s --attn-emit-host-entry="features=+egpr" 2>&1 | FileCheck %s --check-prefix=FEATURE

// C2: the entry must be able to check what the code may use.

// CPU: error: attn-emit-host-entry: 'pdp11' is not an x86-64 CPU that LLVM knows; try x86-64-v2, x86-64-v3 or x86-64-v4
// FEATURE: error: attn-emit-host-entry: the runtime cannot check the CPU for egpr; take these away by features=-egpr
module {}
