// RUN: not attn-opt %s --attn-gpu-async-copy=stages=-1 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not attn-opt %s --attn-gpu-async-copy=stages=9 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: attn-opt %s --attn-gpu-async-copy=stages=8 | FileCheck %s --check-prefix=MOST

// NONE: error: attn-gpu-async-copy: 'stages' expected 0 to 8, got -1
// MANY: error: attn-gpu-async-copy: 'stages' expected 0 to 8, got 9
// MOST: attn_gpu.kernel @nothing_to_read
attn_gpu.kernel @nothing_to_read() warpgroups 1 {
  attn_gpu.return
}
