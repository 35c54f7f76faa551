// RUN: attn-opt %s --split-input-file --verify-diagnostics

attn_gpu.kernel @c1_fewer(%n: index) warpgroups 1 {
  // expected-error @+1 {{expected 2 induction variables of type index}}
  attn_gpu.work_loop (%i) in (%n, %n) {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c1_type(%n: index) warpgroups 1 {
  // expected-error @+1 {{expected 1 induction variables of type index}}
  "attn_gpu.work_loop"(%n) <{descending = array<i64>}> ({
  ^body(%i: i32):
    "attn_gpu.yield"() : () -> ()
  }) : (index) -> ()
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_range(%n: index) warpgroups 1 {
  // expected-error @+1 {{'descending' expected dimensions from 0 to 1, each once, got 2}}
  attn_gpu.work_loop (%i, %j) in (%n, %n) descending [2] {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_negative(%n: index) warpgroups 1 {
  // expected-error @+1 {{'descending' expected dimensions from 0 to 1, each once, got -1}}
  attn_gpu.work_loop (%i, %j) in (%n, %n) descending [-1] {
  }
  attn_gpu.return
}

// -----

attn_gpu.kernel @c2_twice(%n: index) warpgroups 1 {
  // expected-error @+1 {{'descending' expected dimensions from 0 to 1, each once, got 1}}
  attn_gpu.work_loop (%i, %j) in (%n, %n) descending [1, 1] {
  }
  attn_gpu.return
}

// -----

func.func @outside(%n: index) {
  // expected-error @+1 {{expects parent op to be one of 'attn_gpu.kernel, attn_gpu.warp_specialize'}}
  attn_gpu.work_loop (%i) in (%n) {
  }
  return
}

// -----

func.func @yield_outside() {
  // expected-error @+1 {{expects parent op to be one of 'attn_gpu.warp_specialize, attn_gpu.work_loop'}}
  attn_gpu.yield
}
