// Each of a function's kernels computes attention, for the lengths that it is
// chosen for; the report says which there are.

// RUN: attn-run %s --device=sim --schedules=1 --shape=B=1,Sq=255,Skv=700 --check --report=%t.json | FileCheck %s --check-prefixes=CHECK,SHORT
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: attn-run %s --device=sim --schedules=1 --shape=B=1,Sq=256,Skv=700 --check --report=%t.long.json | FileCheck %s --check-prefixes=CHECK,LONG
// RUN: FileCheck %s --check-prefix=LONGJSON --input-file=%t.long.json
// RUN: attn-run %s --device=sim --schedules=2 --shape=B=1,Sq=70,Skv=200 --query-tile=192 --schedule=strided --check | FileCheck %s --check-prefix=GIVEN
// CHECK: schedule    192x128 from 256 of min(queries, keys)       three consumers
// CHECK: schedule    128x128 from 0 to 255 of min(queries, keys)  two consumers
// Only one of them was launched.
// SHORT-NOT: {{full_kernel$}}
// SHORT: {{launched +128x128, 2 stages, dynamic +full_kernel1$}}
// LONG: {{launched +192x128, 2 stages, dynamic +full_kernel$}}
// LONG-NOT: launched
// CHECK: out {{.*}} passed
// GIVEN: {{schedule +}}192x128 {{ *}}given by option
// GIVEN-NOT: {{schedule +[0-9]}}
// GIVEN: {{launched +192x128, 2 stages, strided }}
// GIVEN: out {{.*}} passed
// LONGJSON:      "kernels": [
// LONGJSON-NEXT:   {
// LONGJSON-NEXT:     "attention": 0,
// LONGJSON-NEXT:     "cluster": 1,
// LONGJSON-NEXT:     "from": 256,
// LONGJSON-NEXT:     "length": "min(queries, keys)",
// LONGJSON-NEXT:     "name": "full_kernel",
// LONGJSON-NEXT:     "schedule": "192x128",
// LONGJSON-NEXT:     "stages": 2,
// LONGJSON-NEXT:     "why": "three consumers{{.*}}",
// LONGJSON-NEXT:     "work": "dynamic"
// LONGJSON-NEXT:   }
// LONGJSON-NEXT: ]
// JSON: "name": "schedule"
// JSON: "pass": "attn-select-schedule"
// JSON: "value": "192x128 from 256 of min(queries, keys)"

!t = tensor<?x1x?x64xbf16>
func.func @full(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}
