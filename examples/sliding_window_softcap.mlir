// A local layer as in Gemma 2: a sliding window of 512 keys, scores capped to
// 50 by a tanh, lengths known only when the function is called.
//
//   attn-run sliding_window_softcap.mlir --shape=B=1,Sq=2048,Skv=2048 --check --time

!q = tensor<?x8x?x256xbf16>
!kv = tensor<?x4x?x256xbf16>

func.func @sliding_window_softcap(%q: !q, %k: !kv, %v: !kv) -> !q {
  %out = attn.attention %q, %k, %v
      mask(#attn.and<#attn.causal, #attn.window_size<512>>)
      scale 0.0625
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %cap = arith.constant 50.0 : f32
        %ratio = arith.divf %s, %cap : f32
        %tanh = math.tanh %ratio : f32
        %capped = arith.mulf %tanh, %cap : f32
        attn.yield %capped : f32
      } : !q, !kv, !kv -> !q
  return %out : !q
}
