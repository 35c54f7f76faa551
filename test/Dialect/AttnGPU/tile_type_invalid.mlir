// RUN: attn-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected rows in multiples of 8, got 12}}
func.func private @c1_rows(!attn_gpu.tile<12x64xbf16>)

// -----

// expected-error @+1 {{expected rows in multiples of 8, got 0}}
func.func private @c1_no_rows(!attn_gpu.tile<0x64xbf16>)

// -----

// expected-error @+1 {{expected columns in multiples of 64, got 32}}
func.func private @c1_columns(!attn_gpu.tile<64x32xbf16>)

// -----

// expected-error @+1 {{expected columns in multiples of 64, got 0}}
func.func private @c1_no_columns(!attn_gpu.tile<64x0xbf16>)

// -----

// expected-error @+1 {{expected elements of bf16 or f16, got 'f32'}}
func.func private @c2(!attn_gpu.tile<64x64xf32>)

// -----

// expected-error @+1 {{expected panel_rows in multiples of 8 and at least 64, got 68}}
func.func private @c3_multiple(!attn_gpu.tile<64x64xbf16, panel_rows = 68>)

// -----

// expected-error @+1 {{expected panel_rows in multiples of 8 and at least 64, got 32}}
func.func private @c3_less(!attn_gpu.tile<64x64xbf16, panel_rows = 32>)

// -----

// expected-error @+1 {{expected rows and columns, got 3 extents}}
func.func private @extents(!attn_gpu.tile<2x64x64xbf16>)

// -----

// expected-error @+1 {{expected static shape}}
func.func private @dynamic(!attn_gpu.tile<?x64xbf16>)
