// Several kernels for a function, chosen by lengths at the call; the manifest
// says which, from where, and why.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: attn-translate --attn-to-object --device=cuda %s -o %t.o
// RUN: llvm-nm-22 %t.o | FileCheck %s --check-prefix=OBJECT
// RUN: attn-translate --attn-to-manifest --device=cuda %s | FileCheck %s --check-prefix=MANIFEST
// RUN: attn-translate --attn-to-manifest --device=cuda --stages=1 --schedule=once --key-tile=64 %s | FileCheck %s --check-prefix=GIVEN
// RUN: attn-translate --attn-to-manifest --device=cuda --kernel-passes=canonicalize,cse %s | FileCheck %s --check-prefix=PASSES
// RUN: not attn-translate --attn-to-ptx --stages=9 --schedule=static %s 2>&1 | FileCheck %s --check-prefix=OPTIONS

// PTX: .visible .entry causal_kernel(
// PTX: .reqntid 512
// PTX: .visible .entry causal_kernel1(
// PTX: .reqntid 384

// OBJECT-DAG: __attn_causal_kernel_code
// OBJECT-DAG: __attn_causal_kernel1_code
// OBJECT-DAG: U attn_rt_cuda_launch

// MANIFEST:      "kernels": [
// MANIFEST:          "name": "causal_kernel",
// MANIFEST-NEXT:     "origin": {
// MANIFEST-NEXT:       "attention": 0,
// MANIFEST-NEXT:       "from": 1152,
// MANIFEST-NEXT:       "key_tile": 128,
// MANIFEST-NEXT:       "length": "min(queries, keys)",
// MANIFEST-NEXT:       "mask": "masked",
// MANIFEST-NEXT:       "query_tile": 192,
// MANIFEST-NEXT:       "why": "three consumers: {{.*}}"
// MANIFEST:          "schedule": {
// MANIFEST-NEXT:       "early_weights": false,
// MANIFEST-NEXT:       "flatten": true,
// MANIFEST-NEXT:       "lazy_rescale": true,
// MANIFEST-NEXT:       "queries_in_registers": false,
// MANIFEST-NEXT:       "stages": 2,
// MANIFEST-NEXT:       "turns": true,
// MANIFEST-NEXT:       "work": "dynamic"
// MANIFEST:          "shared_bytes": {{[1-9]}}
// MANIFEST-NEXT:     "threads": 512
// MANIFEST:          "name": "causal_kernel1",
// MANIFEST:            "below": 1152,
// MANIFEST-NEXT:       "from": 0,
// MANIFEST:            "query_tile": 128,
// MANIFEST:            "lazy_rescale": false,
// MANIFEST-NEXT:       "queries_in_registers": true,
// MANIFEST:          "threads": 384

// GIVEN:     "given": true
// GIVEN:     "key_tile": 64,
// GIVEN:     "query_tile": 192,
// GIVEN:     "stages": 1,
// GIVEN:     "work": "once"
// GIVEN-NOT: "query_tile"

// Other passes: nobody has carried out the rest of the schedule.
// PASSES:      "name": "causal_kernel",
// PASSES:      "passes": "canonicalize,cse",
// PASSES-NEXT: "schedule": {
// PASSES-NEXT:   "early_weights": false,
// PASSES-NEXT:   "lazy_rescale": true,
// PASSES-NEXT:   "queries_in_registers": false
// PASSES-NEXT: },

// OPTIONS: error: option 'stages' expected 0 to 8, got 9; the nearest is 8
// OPTIONS: option 'schedule' expected once, strided or dynamic, got 'static'

!t = tensor<?x?x?x64xbf16>
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}
