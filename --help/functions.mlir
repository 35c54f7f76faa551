attn_gpu.kernel @exp2(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %y = math.exp2 %x : vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @log2(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %a = math.absf %x : vector<64x64xf32>
  %y = math.log2 %a : vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @sqrt(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %a = math.absf %x : vector<64x64xf32>
  %y = math.sqrt %a : vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @div(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %t = arith.constant dense<3.7> : vector<64x64xf32>
  %y = arith.divf %t, %x : vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @max0(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %z = arith.constant dense<0.0> : vector<64x64xf32>
  %y = arith.maxnumf %x, %z : vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @fma(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf32, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %t = arith.constant dense<0.5> : vector<64x64xf32>
  %y = math.fma %x, %t, %x : vector<64x64xf32>
  attn_gpu.write %y to %to[%c0, %c0] : vector<64x64xf32>, memref<64x64xf32, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @round_bf16(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xbf16, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %third = arith.constant dense<0.33333334> : vector<64x64xf32>
  %y = arith.mulf %x, %third : vector<64x64xf32>
  %z = arith.truncf %y : vector<64x64xf32> to vector<64x64xbf16>
  attn_gpu.write %z to %to[%c0, %c0] : vector<64x64xbf16>, memref<64x64xbf16, strided<[?, 1]>>
  attn_gpu.return
}

attn_gpu.kernel @round_f16(%from: memref<64x64xbf16, strided<[?, 1]>>, %to: memref<64x64xf16, strided<[?, 1]>>) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %tile = attn_gpu.read %from[%c0, %c0] : memref<64x64xbf16, strided<[?, 1]>> -> !attn_gpu.tile<64x64xbf16>
  %half = attn_gpu.load_fragment %tile : !attn_gpu.tile<64x64xbf16> -> vector<64x64xbf16>
  %x = arith.extf %half : vector<64x64xbf16> to vector<64x64xf32>
  %third = arith.constant dense<0.33333334> : vector<64x64xf32>
  %y = arith.mulf %x, %third : vector<64x64xf32>
  %z = arith.truncf %y : vector<64x64xf32> to vector<64x64xf16>
  attn_gpu.write %z to %to[%c0, %c0] : vector<64x64xf16>, memref<64x64xf16, strided<[?, 1]>>
  attn_gpu.return
}
