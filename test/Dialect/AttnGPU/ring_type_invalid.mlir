// RUN: attn-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 1 to 8 stages, got 0}}
func.func private @c1_none(!attn_gpu.ring<0 x !attn_gpu.tile<64x64xbf16>>)

// -----

// expected-error @+1 {{expected 1 to 8 stages, got 9}}
func.func private @c1_many(!attn_gpu.ring<9 x !attn_gpu.tile<64x64xbf16>>)
