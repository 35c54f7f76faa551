// ALiBi: every head subtracts its slope times the distance between query and
// key. The slopes are an operand; the map says that a head reads its own.
//
//   attn-run alibi.mlir --shape=B=2,Sq=512,Skv=512 --check

!qkv = tensor<?x8x?x64xf32>

func.func @alibi(%q: !qkv, %k: !qkv, %v: !qkv, %slopes: tensor<8xf32>) -> !qkv {
  %out = attn.attention %q, %k, %v mask(#attn.causal)
      score(%slopes : tensor<8xf32>) score_maps [affine_map<(b, h, i, j) -> (h)>]
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index, %slope: f32):
        %distance = arith.subi %p, %r : index
        %i = arith.index_cast %distance : index to i32
        %f = arith.sitofp %i : i32 to f32
        %bias = arith.mulf %slope, %f : f32
        %biased = arith.subf %s, %bias : f32
        attn.yield %biased : f32
      } : !qkv, !qkv, !qkv -> !qkv
  return %out : !qkv
}
