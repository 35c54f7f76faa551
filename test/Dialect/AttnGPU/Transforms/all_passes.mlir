// The masks of attention go through all passes; a segment that needs no mask has a
// loop that looks at none.

// RUN: attn-opt %s --attn-to-attn-gpu='query-tile=128 key-tile=128' | FileCheck %s

!t = tensor<?x?x?x128xbf16>

// CHECK-LABEL: attn_gpu.kernel @window_kernel(
// CHECK:       } consumers 232 {
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:             attn_gpu.turn_wait
// CHECK:             attn_gpu.iota : vector<64x1xi32>
// CHECK:             scf.yield
// CHECK:           scf.for
// CHECK:             attn_gpu.turn_wait
// CHECK-NOT:         attn_gpu.iota
// CHECK:             scf.yield
// CHECK:           scf.for
// CHECK:             attn_gpu.turn_wait
// CHECK:             attn_gpu.iota : vector<64x1xi32>
// CHECK:             scf.yield
// CHECK-NOT:       scf.for
// CHECK:       attn_gpu.return
func.func @window(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.window<left = 1000, right = 0>) : !t, !t, !t -> !t
  return %out : !t
}

// Full: the ragged last tile of keys comes first, all others see no mask.
// CHECK-LABEL: attn_gpu.kernel @full_kernel(
// CHECK:       } consumers 232 {
// CHECK:           scf.for
// CHECK:             attn_gpu.iota : vector<1x128xi32>
// CHECK:             scf.yield
// CHECK:           scf.for
// CHECK-NOT:         attn_gpu.iota
// CHECK:             scf.yield
// CHECK-NOT:       scf.for
// CHECK:       attn_gpu.return
func.func @full(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
