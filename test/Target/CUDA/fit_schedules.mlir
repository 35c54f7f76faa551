// When ptxas finds that a schedule costs speed, the next one of its row is
// taken. With a ptxas whose verdicts are known, by the threads of a block: 512
// with query tiles of 192 rows, 384 with 128.

// Nothing to say against any: compiled once, two schedules by length.
// RUN: rm -f %t.once
// RUN: env ATTEMPTS=%t.once attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %s | FileCheck %s --check-prefix=GOOD
// RUN: FileCheck %s --check-prefix=ONCE < %t.once
// GOOD-NOT: rejected
// GOOD:     "query_tile": 192
// GOOD:     "query_tile": 128
// ONCE:       causal_kernel 512
// ONCE-NEXT:  causal_kernel1 384
// ONCE-NOT:   {{.}}

// Tiles of 192 rows spill: 128 rows for all lengths, no warning.
// RUN: rm -f %t.twice
// RUN: env ATTEMPTS=%t.twice SPILLS=512 attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %s -o %t.json 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SPILLED < %t.json
// RUN: FileCheck %s --check-prefix=TWICE < %t.twice
// SPILLED:     "key_tile": 128
// SPILLED:     "query_tile": 128
// SPILLED:     "rejected": [
// SPILLED:       "schedule": "192x128"
// SPILLED:       "why": "ptxas: registers are spilled in the main loop: 512 bytes stored, 512 bytes loaded in all"
// SPILLED-NOT: "query_tile"
// TWICE:      causal_kernel 512
// TWICE-NEXT: causal_kernel1 384
// TWICE-NEXT: causal_kernel 384
// TWICE-NOT:  {{.}}

// A few bytes are no reason, and no warning, but are kept in mind.
// RUN: env SPILLS=512 BYTES=64 attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %s -o %t.json 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=FEW < %t.json
// RUN: env SPILLS=512 BYTES=64 attn-opt %s --pass-pipeline='builtin.module(attn-gpu-fit-schedules{pipeline=builtin.module(attn-to-attn-gpu,attn-gpu-compile-kernels{warn=false ptxas=%S/Inputs/ptxas-spilling.sh})})' --remarks-filter=attn-gpu-fit-schedules --remark-policy=all 2>&1 >/dev/null | FileCheck %s --check-prefix=KEPT
// RUN: env SPILLS=512 BYTES=68 attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %s | FileCheck %s --check-prefix=MORE
// FEW-NOT: rejected
// FEW:     "losses": [
// FEW:     "query_tile": 192
// FEW:     "query_tile": 128
// KEPT:    remark: [Passed] kept | Category:attn-gpu-fit-schedules {{.*}}64 bytes stored, 64 bytes loaded
// MORE:    "rejected"

// Products that wait for each other are a reason, too.
// RUN: env SERIALISES=384 attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %s | FileCheck %s --check-prefix=SERIALISED
// SERIALISED:     "query_tile": 192
// SERIALISED:     "schedule": "128x128"
// SERIALISED:     "why": "ptxas: C7513: Potential Performance Loss: wgmma
// SERIALISED-NOT: "query_tile"

// None is left: the one that spills least, with a warning at the operation.
// RUN: env SPILLS='512 384' attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %s -o %t.json 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s --check-prefix=LEAST < %t.json
// LEAST:     "query_tile": 128
// LEAST:     "schedule": "192x128"
// LEAST-NOT: "query_tile"

// What a user has given stays, with the warning.
// RUN: env SPILLS=512 attn-translate --attn-to-manifest --device=cuda --query-tile=192 --ptxas=%S/Inputs/ptxas-spilling.sh %s -o %t.json 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s --check-prefix=GIVEN < %t.json
// GIVEN:     "given": true
// GIVEN:     "query_tile": 192
// GIVEN-NOT: "query_tile"

// As a pass: remarks say what was rejected.
// RUN: env SPILLS=512 attn-opt %s --pass-pipeline='builtin.module(attn-gpu-fit-schedules{pipeline=builtin.module(attn-to-attn-gpu,attn-gpu-compile-kernels{warn=false ptxas=%S/Inputs/ptxas-spilling.sh})})' --remarks-filter=attn-gpu-fit-schedules --remark-policy=all 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not attn-opt %s --attn-gpu-fit-schedules 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: attn-gpu-fit-schedules: option 'pipeline' expected passes as builtin.module(...)

// A warning of one operation comes once, however often another is compiled.
// RUN: env SPILLS=512 attn-translate --attn-to-manifest --device=cuda --ptxas=%S/Inputs/ptxas-spilling.sh %S/Inputs/cluster_in_vain.mlir -o %t.json 2>&1 | FileCheck %s --check-prefix=VAIN
// RUN: FileCheck %s --check-prefix=SPILLED < %t.json
// VAIN-COUNT-1: warning: 'cluster' = 2 of the schedule has no effect
// VAIN-NOT:     warning

!t = tensor<?x?x?x64xbf16>
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  // WARNING: fit_schedules.mlir:[[#@LINE+2]]:10: warning: ptxas: registers are spilled in the main loop:
  // REMARK: fit_schedules.mlir:[[#@LINE+1]]:10: {{.*}}192x128: ptxas: registers are spilled in the main loop
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}
