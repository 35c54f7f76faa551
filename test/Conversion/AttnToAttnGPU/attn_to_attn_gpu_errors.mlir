// What has no kernel is an error at its operation: from the pass itself too, for
// those who come to it by another way than the pipeline.

// RUN: not attn-opt %s --split-input-file --pass-pipeline='builtin.module(attn-to-iteration{query-tile=64 key-tile=64},convert-attn-to-attn-gpu)' 2>&1 | FileCheck %s
// RUN: not attn-opt %s --split-input-file --pass-pipeline='builtin.module(attn-to-iteration{query-tile=48 key-tile=64},convert-attn-to-attn-gpu)' 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not attn-opt %s --split-input-file --pass-pipeline='builtin.module(attn-to-iteration{query-tile=576 key-tile=64},convert-attn-to-attn-gpu)' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not attn-opt %s --split-input-file --pass-pipeline='builtin.module(attn-to-iteration{query-tile=64 key-tile=64 key-parts=4},convert-attn-to-attn-gpu)' 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not attn-opt %s --split-input-file --convert-attn-to-attn-gpu 2>&1 | FileCheck %s --check-prefix=EARLY

// CHECK:      error: 'attn.partial' op has no kernel:
// CHECK-NEXT:   'q', 'k', 'v': expected bf16 or f16, got f32
// CHECK-NEXT:   'q', 'k': head dimension expected 64, 128 or 256, got 32
// CHECK-NEXT:   'v': head dimension expected 64, 128 or 256, got 48
// CHECK-NEXT:   score region: expected none
// EARLY:      error: 'attn.attention' op is in no loop over query tiles: it has no kernel
func.func @types(%q: tensor<1x2x100x32xf32>, %k: tensor<1x2x100x32xf32>,
                 %v: tensor<1x2x100x48xf32>) -> tensor<1x2x100x48xf32> {
  %out = attn.attention %q, %k, %v
      score_region {
      ^bb0(%s: f32, %b: index, %h: index, %p: index, %r: index):
        %t = math.tanh %s : f32
        attn.yield %t : f32
      } : tensor<1x2x100x32xf32>, tensor<1x2x100x32xf32>, tensor<1x2x100x48xf32> -> tensor<1x2x100x48xf32>
  return %out : tensor<1x2x100x48xf32>
}

// -----

// The tiles themselves.
// ROWS:       error: expected query tiles of a multiple of 64 rows, at most 512, got 48
// MANY:       error: expected query tiles of a multiple of 64 rows, at most 512, got 576
// PARTS:      error: keys are walked in parts: expected a loop whose results are those of attn.finalize, as key-parts=1 gives them

// CHECK:      error: 'attn.finalize' op has no kernel:
// CHECK-NEXT:   'sinks': expected none
!t = tensor<1x2x100x64xbf16>
func.func @sinks(%q: !t, %k: !t, %v: !t, %sinks: tensor<2xf32>) -> !t {
  %out = attn.attention %q, %k, %v sinks(%sinks : tensor<2xf32>) : !t, !t, !t -> !t
  return %out : !t
}

// -----

// CHECK:      error: 'attn.partial' op has no kernel:
// CHECK-NEXT:   mask region: expected masks given as attributes
!t = tensor<1x2x100x64xbf16>
func.func @region(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.region)
      visible_region {
      ^bb0(%b: index, %h: index, %p: index, %r: index):
        %even = arith.cmpi eq, %h, %b : index
        attn.yield %even : i1
      } : !t, !t, !t -> !t
  return %out : !t
}

// -----

!t = tensor<1x2x100x64xbf16>
!ids = tensor<1x100xi32>
// CHECK:      error: 'attn.partial' op has no kernel:
// CHECK-NEXT:   #attn.documents: expected masks without operands
// CHECK-NEXT:   #attn.prefix: expected a constant length
func.func @documents(%q: !t, %k: !t, %v: !t, %ids: !ids, %n: tensor<1xi32>) -> !t {
  %out = attn.attention %q, %k, %v mask(#attn.or<#attn.documents, #attn.prefix>)
      documents(%ids, %ids : !ids, !ids) prefix(%n : tensor<1xi32>) : !t, !t, !t -> !t
  return %out : !t
}
