// Schedules by head dimension, mask and length; several where lengths are known
// by a call only.

// RUN: attn-opt %s --attn-select-schedule | FileCheck %s
// RUN: attn-opt %s --attn-select-schedule --attn-select-schedule=query-tile=64 | FileCheck %s
// RUN: attn-opt %s --attn-select-schedule --remarks-filter=attn-select-schedule --remark-policy=all 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: attn-opt %s --attn-select-schedule='key-tile=48 stages=3 schedule=strided' | FileCheck %s --check-prefix=GIVEN

!t = tensor<?x?x?x64xbf16>

// What is given takes the choice away: one schedule, that of long lengths with
// what is given.
// GIVEN-LABEL: @causal
// GIVEN-NOT:   scf.if
// GIVEN:       attn.choice = {attention = 0 : i64, given, mask = "masked", why = "given by option"}
// GIVEN-SAME:  attn.schedule = #attn.schedule<query_tile = 192, key_tile = 48, stages = 3, work = "strided", lazy_rescale = true>

// The shorter of two lengths that are dynamic.
// CHECK-LABEL: @causal
// CHECK-SAME:  (%[[Q:[a-z0-9]*]]: tensor<?x?x?x64xbf16>, %[[K:[a-z0-9]*]]: tensor
// CHECK-DAG:   %[[SQ:.*]] = tensor.dim %[[Q]], %c2
// CHECK-DAG:   %[[SKV:.*]] = tensor.dim %[[K]], %c2
// CHECK:       %[[LENGTH:.*]] = arith.minsi %[[SQ]], %[[SKV]]
// CHECK:       %[[IS_LONG:.*]] = arith.cmpi sge, %[[LENGTH]], %c1152
// CHECK:       %[[OUT:.*]] = scf.if %[[IS_LONG]]
// CHECK:         %[[LONG:.*]] = attn.attention {{.*}}attn.choice = {attention = 0 : i64, from = 1152 : i64, length = "min(queries, keys)", mask = "masked", why = "three consumers: {{.*}}"}
// CHECK-SAME:        attn.schedule = #attn.schedule<query_tile = 192, key_tile = 128, lazy_rescale = true>
// CHECK:         scf.yield %[[LONG]]
// CHECK:       else
// CHECK:         %[[SHORT:.*]] = attn.attention {{.*}}attn.choice = {attention = 0 : i64, below = 1152 : i64, from = 0 : i64, length = "min(queries, keys)", mask = "masked", why = "two consumers: {{.*}}"}
// CHECK-SAME:        attn.schedule = #attn.schedule<query_tile = 128, key_tile = 128, queries_in_registers = true>
// CHECK:         scf.yield %[[SHORT]]
// CHECK:       return %[[OUT]]
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  // REMARK: select_schedule.mlir:[[#@LINE+2]]{{.*}}192x128 from 1152 of min(queries, keys): three consumers
  // REMARK: select_schedule.mlir:[[#@LINE+1]]{{.*}}128x128 from 0 to 1151 of min(queries, keys): two consumers
  %out = attn.attention %q, %k, %v mask (#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}

// Without a mask longer tiles are worth it earlier.
// CHECK-LABEL: @full
// CHECK:       arith.cmpi sge, %{{.*}}, %c256
// CHECK:       attn.attention {{.*}}query_tile = 192, key_tile = 128, lazy_rescale = true>
// CHECK:       attn.attention {{.*}}query_tile = 128, key_tile = 128, queries_in_registers = true>
func.func @full(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v : !t, !t, !t -> !t
  return %out : !t
}

// One length is static: the other is compared.
!keys = tensor<?x?x4096x64xbf16>
// CHECK-LABEL: @queries
// CHECK-SAME:  (%[[Q:[a-z0-9]*]]: tensor<?x?x?x64xbf16>,
// CHECK:       %[[SQ:.*]] = tensor.dim %[[Q]], %c2
// CHECK:       arith.cmpi sge, %[[SQ]], %c
// CHECK:       length = "queries"
func.func @queries(%q: !t, %k: !keys, %v: !keys) -> !t {
  %out = attn.attention %q, %k, %v : !t, !keys, !keys -> !t
  return %out : !t
}

// A window bounds the keys of a query tile, however long the lengths.
// CHECK-LABEL: @window
// CHECK-NOT:   scf.if
// CHECK:       attn.attention {{.*}}query_tile = 128, key_tile = 128, queries_in_registers = true>
func.func @window(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v mask (#attn.window<left = 127, right = 0>)
      : !t, !t, !t -> !t
  return %out : !t
}

// Static lengths are decided here, with the heads there are: 4 heads do not fill
// the chip, where smaller tiles end sooner.
!s512 = tensor<32x32x512x64xbf16>
!s4096 = tensor<4x32x4096x64xbf16>
!few = tensor<1x4x4096x64xbf16>
// CHECK-LABEL: @static
// CHECK-NOT:   scf.if
// CHECK:       attn.attention {{.*}}attention = 4 : i64, mask = "masked", why = {{.*}}query_tile = 128, key_tile = 128, queries_in_registers = true>
// CHECK:       attn.attention {{.*}}query_tile = 192, key_tile = 128, lazy_rescale = true>
// CHECK:       attn.attention {{.*}}query_tile = 128, key_tile = 128, queries_in_registers = true>
func.func @static(%q: !s512, %r: !s4096, %s: !few) -> (!s512, !s4096, !few) {
  %0 = attn.attention %q, %q, %q mask (#attn.causal) : !s512, !s512, !s512 -> !s512
  %1 = attn.attention %r, %r, %r mask (#attn.causal) : !s4096, !s4096, !s4096 -> !s4096
  %2 = attn.attention %s, %s, %s : !few, !few, !few -> !few
  return %0, %1, %2 : !s512, !s4096, !few
}

// One schedule for all lengths.
!t128 = tensor<?x?x?x128xbf16>
!t256 = tensor<?x?x?x256xbf16>
// CHECK-LABEL: @wide
// CHECK-NOT:   scf.if
// CHECK:       attn.attention {{.*}}query_tile = 128, key_tile = 128, lazy_rescale = true, queries_in_registers = true, early_weights = true>
// CHECK:       attn.attention {{.*}}query_tile = 128, key_tile = 64, lazy_rescale = true>
// CHECK:       attn.attention {{.*}}query_tile = 128, key_tile = 64, lazy_rescale = true>
func.func @wide(%q: !t128, %r: !t256) -> (!t128, !t256, !t256) {
  %0 = attn.attention %q, %q, %q mask (#attn.causal) : !t128, !t128, !t128 -> !t128
  %1 = attn.attention %r, %r, %r : !t256, !t256, !t256 -> !t256
  %2 = attn.attention %r, %r, %r mask (#attn.causal) : !t256, !t256, !t256 -> !t256
  return %0, %1, %2 : !t128, !t256, !t256
}

// What was rejected is not chosen; when all has been, the first of the table is.
// CHECK-LABEL: @rejected
// CHECK-NOT:   scf.if
// CHECK-NOT:   attn.rejected
// CHECK:       attn.attention {{.*}}query_tile = 128, key_tile = 96>
// CHECK:       attn.attention {{.*}}query_tile = 192, key_tile = 80, lazy_rescale = true>
func.func @rejected(%q: !t128) -> (!t128, !t128) {
  %0 = attn.attention %q, %q, %q {attn.rejected = ["192x80", "128x128"]}
      : !t128, !t128, !t128 -> !t128
  %1 = attn.attention %q, %q, %q {attn.rejected = ["192x80", "128x128", "128x96", "128x64"]}
      : !t128, !t128, !t128 -> !t128
  return %0, %1 : !t128, !t128
}

// A schedule written by hand stays.
// CHECK-LABEL: @by_hand
// CHECK:       attn.attention {{.*}}attn.choice = {attention = 12 : i64, given, mask = "full", why = "given by attribute"}
// CHECK-SAME:      attn.schedule = #attn.schedule<query_tile = 64, key_tile = 32, work = "once", turns = false>
// GIVEN-LABEL: @by_hand
// GIVEN:       attn.schedule = #attn.schedule<query_tile = 64, key_tile = 32, work = "once", turns = false>
// GIVEN:       attn.schedule = #attn.schedule<query_tile = 64, key_tile = 32, work = "strided", cluster = 4>
// CHECK:       attn.attention {{.*}}attn.choice = {attention = 13 : i64, given, mask = "full", why = "given by attribute"}
// CHECK-SAME:      attn.schedule = #attn.schedule<query_tile = 64, key_tile = 32, work = "strided", cluster = 4>
func.func @by_hand(%q: !t) -> !t {
  %0 = attn.attention %q, %q, %q {attn.schedule =
      #attn.schedule<query_tile = 64, key_tile = 32, work = "once", turns = false>}
      : !t, !t, !t -> !t
  %1 = attn.attention %0, %q, %q {attn.schedule =
      #attn.schedule<query_tile = 64, key_tile = 32, work = "strided", cluster = 4>}
      : !t, !t, !t -> !t
  return %1 : !t
}
