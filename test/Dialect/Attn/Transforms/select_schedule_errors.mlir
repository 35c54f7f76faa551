// What no schedule can be chosen for, and options out of their ranges.

// RUN: not attn-opt %s --attn-select-schedule 2>&1 | FileCheck %s
// RUN: not attn-opt %s --attn-select-schedule=chip=sm_80 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not attn-opt %s --attn-select-schedule='query-tile=-1 key-tile=5000 stages=9 schedule=static' 2>&1 | FileCheck %s --check-prefix=OPTIONS

// OPTIONS: error: attn-select-schedule: option 'query-tile' expected 0 to 1024, got -1; the nearest is 0
// OPTIONS: error: attn-select-schedule: option 'key-tile' expected 0 to 4096, got 5000; the nearest is 4096
// OPTIONS: error: attn-select-schedule: option 'stages' expected 0 to 8, got 9; the nearest is 8
// OPTIONS: error: attn-select-schedule: option 'schedule' expected once, strided or dynamic, got 'static'

!t = tensor<1x1x8x512xbf16>
func.func @wide(%q: !t) -> !t {
  // CHECK: select_schedule_errors.mlir:[[#@LINE+2]]:8: error: 'attn.attention' op has no schedule for sm_90a with head dimensions 512 and 512: expected sm_90a and head dimensions up to 256
  // CHIP: select_schedule_errors.mlir:[[#@LINE+1]]:8: error: 'attn.attention' op has no schedule for sm_80
  %0 = attn.attention %q, %q, %q : !t, !t, !t -> !t
  return %0 : !t
}
