// The attention of a vision transformer, ViT-L at 384 pixels: every patch sees every
// other one. A backward pass wants the log-sum-exp of each row.
//
//   attn-run vision_encoder.mlir --shape=q:2x16x577x64,k:2x16x577x64 --check

!t = tensor<?x16x?x64xf16>
!l = tensor<?x16x?xf32>

func.func @vision_encoder(%q: !t, %k: !t, %v: !t) -> (!t, !l) {
  %out, %lse = attn.attention %q, %k, %v : !t, !t, !t -> !t, !l
  return %out, %lse : !t, !l
}
