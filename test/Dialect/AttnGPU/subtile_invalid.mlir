// RUN: attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_columns(%t: !attn_gpu.tile<128x64xbf16>, %r: index) {
  // expected-error @+1 {{'result' expected columns, elements and panel_rows of '!attn_gpu.tile<128x64xbf16>' and no more rows, got '!attn_gpu.tile<64x128xbf16, panel_rows = 128>'}}
  %0 = attn_gpu.subtile %t[%r] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x128xbf16, panel_rows = 128>
  return
}

// -----

func.func @c1_element(%t: !attn_gpu.tile<128x64xbf16>, %r: index) {
  // expected-error @+1 {{'result' expected columns, elements and panel_rows of '!attn_gpu.tile<128x64xbf16>' and no more rows, got '!attn_gpu.tile<64x64xf16, panel_rows = 128>'}}
  %0 = attn_gpu.subtile %t[%r] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xf16, panel_rows = 128>
  return
}

// -----

func.func @c1_panel_rows(%t: !attn_gpu.tile<128x64xbf16>, %r: index) {
  // expected-error @+1 {{and no more rows, got '!attn_gpu.tile<64x64xbf16>'}}
  %0 = attn_gpu.subtile %t[%r] : !attn_gpu.tile<128x64xbf16> -> !attn_gpu.tile<64x64xbf16>
  return
}

// -----

func.func @c1_rows(%t: !attn_gpu.tile<64x64xbf16, panel_rows = 128>, %r: index) {
  // expected-error @+1 {{and no more rows, got '!attn_gpu.tile<128x64xbf16>'}}
  %0 = attn_gpu.subtile %t[%r] : !attn_gpu.tile<64x64xbf16, panel_rows = 128> -> !attn_gpu.tile<128x64xbf16>
  return
}
