// pipeline: builtin.module(attn-to-iteration{query-tile=128 key-tile=128},convert-attn-to-attn-gpu,lower-affine,canonicalize,cse,attn_gpu.kernel(canonicalize,attn-gpu-schedule-work{schedule=strided},attn-gpu-async-copy{stages=2},attn-gpu-stage-writes,attn-gpu-pipeline,canonicalize,cse,attn-gpu-warp-specialize{turns=true},canonicalize,cse,attn-gpu-split-loops,canonicalize,cse))
func.func @f(%q: tensor<?x?x?x128xbf16>, %k: tensor<?x?x?x128xbf16>, %v: tensor<?x?x?x128xbf16>) -> (tensor<?x?x?x128xbf16>, tensor<?x?x?xf32>) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal) : tensor<?x?x?x128xbf16>, tensor<?x?x?x128xbf16>, tensor<?x?x?x128xbf16> -> tensor<?x?x?x128xbf16>, tensor<?x?x?xf32>
  return %out, %lse : tensor<?x?x?x128xbf16>, tensor<?x?x?xf32>
}
