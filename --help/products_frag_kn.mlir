attn_gpu.kernel @mma_frag_kn_64x64_bf16(%a: memref<64x64xbf16, strided<[?, 1]>>, %b: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<128x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x64xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x64xf32>
  %c = arith.mulf %one, %half : vector<64x64xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x64xbf16>, !attn_gpu.tile<64x64xbf16> -> vector<64x64xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x64xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_64x128_bf16(%a: memref<64x128xbf16, strided<[?, 1]>>, %b: memref<128x64xbf16, strided<[?, 1]>>, %to: memref<128x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x128xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xbf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<128x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x64xbf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x128xbf16>, !attn_gpu.tile<128x64xbf16> -> vector<64x64xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x64xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x64xf32>
  %c = arith.mulf %one, %half : vector<64x64xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x128xbf16>, !attn_gpu.tile<128x64xbf16> -> vector<64x64xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x64xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_128x64_bf16(%a: memref<64x64xbf16, strided<[?, 1]>>, %b: memref<64x128xbf16, strided<[?, 1]>>, %to: memref<128x128xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<64x128xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xbf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x64xbf16>, !attn_gpu.tile<64x128xbf16> -> vector<64x128xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x128xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x128xf32>
  %c = arith.mulf %one, %half : vector<64x128xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x64xbf16>, !attn_gpu.tile<64x128xbf16> -> vector<64x128xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x128xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_128x128_bf16(%a: memref<64x128xbf16, strided<[?, 1]>>, %b: memref<128x128xbf16, strided<[?, 1]>>, %to: memref<128x128xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x128xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xbf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<128x128xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x128xbf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x128xbf16>, !attn_gpu.tile<128x128xbf16> -> vector<64x128xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x128xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x128xf32>
  %c = arith.mulf %one, %half : vector<64x128xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x128xbf16>, !attn_gpu.tile<128x128xbf16> -> vector<64x128xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x128xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_256x64_bf16(%a: memref<64x64xbf16, strided<[?, 1]>>, %b: memref<64x256xbf16, strided<[?, 1]>>, %to: memref<128x256xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<64x256xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x256xbf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x64xbf16>, !attn_gpu.tile<64x256xbf16> -> vector<64x256xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x256xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x256xf32>
  %c = arith.mulf %one, %half : vector<64x256xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x64xbf16>, !attn_gpu.tile<64x256xbf16> -> vector<64x256xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x256xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_256x128_bf16(%a: memref<64x128xbf16, strided<[?, 1]>>, %b: memref<128x256xbf16, strided<[?, 1]>>, %to: memref<128x256xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x128xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xbf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<128x256xbf16, strided<[?, 1]>> -> !attn_gpu.tile<128x256xbf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x128xbf16> -> vector<64x128xbf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x128xbf16>, !attn_gpu.tile<128x256xbf16> -> vector<64x256xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x256xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x256xf32>
  %c = arith.mulf %one, %half : vector<64x256xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x128xbf16>, !attn_gpu.tile<128x256xbf16> -> vector<64x256xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x256xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_64x64_f16(%a: memref<64x64xf16, strided<[?, 1]>>, %b: memref<64x64xf16, strided<[?, 1]>>, %to: memref<128x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<64x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x64xf16> -> vector<64x64xf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x64xf16>, !attn_gpu.tile<64x64xf16> -> vector<64x64xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x64xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x64xf32>
  %c = arith.mulf %one, %half : vector<64x64xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x64xf16>, !attn_gpu.tile<64x64xf16> -> vector<64x64xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x64xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_64x128_f16(%a: memref<64x128xf16, strided<[?, 1]>>, %b: memref<128x64xf16, strided<[?, 1]>>, %to: memref<128x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x128xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<128x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x64xf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x128xf16> -> vector<64x128xf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x128xf16>, !attn_gpu.tile<128x64xf16> -> vector<64x64xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x64xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x64xf32>
  %c = arith.mulf %one, %half : vector<64x64xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x128xf16>, !attn_gpu.tile<128x64xf16> -> vector<64x64xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x64xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x64xf32>, memref<128x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_128x64_f16(%a: memref<64x64xf16, strided<[?, 1]>>, %b: memref<64x128xf16, strided<[?, 1]>>, %to: memref<128x128xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<64x128xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x64xf16> -> vector<64x64xf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x64xf16>, !attn_gpu.tile<64x128xf16> -> vector<64x128xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x128xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x128xf32>
  %c = arith.mulf %one, %half : vector<64x128xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x64xf16>, !attn_gpu.tile<64x128xf16> -> vector<64x128xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x128xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_128x128_f16(%a: memref<64x128xf16, strided<[?, 1]>>, %b: memref<128x128xf16, strided<[?, 1]>>, %to: memref<128x128xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x128xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<128x128xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x128xf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x128xf16> -> vector<64x128xf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x128xf16>, !attn_gpu.tile<128x128xf16> -> vector<64x128xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x128xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x128xf32>
  %c = arith.mulf %one, %half : vector<64x128xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x128xf16>, !attn_gpu.tile<128x128xf16> -> vector<64x128xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x128xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x128xf32>, memref<128x128xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_256x64_f16(%a: memref<64x64xf16, strided<[?, 1]>>, %b: memref<64x256xf16, strided<[?, 1]>>, %to: memref<128x256xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x64xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<64x256xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x256xf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x64xf16> -> vector<64x64xf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x64xf16>, !attn_gpu.tile<64x256xf16> -> vector<64x256xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x256xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x256xf32>
  %c = arith.mulf %one, %half : vector<64x256xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x64xf16>, !attn_gpu.tile<64x256xf16> -> vector<64x256xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x256xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @mma_frag_kn_256x128_f16(%a: memref<64x128xf16, strided<[?, 1]>>, %b: memref<128x256xf16, strided<[?, 1]>>, %to: memref<128x256xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %a_tile = attn_gpu.read %a[%c0, %c0] : memref<64x128xf16, strided<[?, 1]>> -> !attn_gpu.tile<64x128xf16>
  %b_tile = attn_gpu.read %b[%c0, %c0] : memref<128x256xf16, strided<[?, 1]>> -> !attn_gpu.tile<128x256xf16>
  %a_frag = attn_gpu.load_fragment %a_tile : !attn_gpu.tile<64x128xf16> -> vector<64x128xf16>
  %one_started = attn_gpu.mma %a_frag, %b_tile : vector<64x128xf16>, !attn_gpu.tile<128x256xf16> -> vector<64x256xf32>
  %one = attn_gpu.mma_wait %one_started : vector<64x256xf32>
  attn_gpu.write %one to %to[%c0, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  %half = arith.constant dense<0.5> : vector<64x256xf32>
  %c = arith.mulf %one, %half : vector<64x256xf32>
  %two_started = attn_gpu.mma %a_frag, %b_tile acc %c : vector<64x128xf16>, !attn_gpu.tile<128x256xf16> -> vector<64x256xf32>
  %two = attn_gpu.mma_wait %two_started : vector<64x256xf32>
  %c64 = arith.constant 64 : index
  attn_gpu.write %two to %to[%c64, %c0] : vector<64x256xf32>, memref<128x256xf32, strided<[?, 1]>>
  attn_gpu.return
}
