// Clusters that share keys and values, with fewer tiles than blocks, a last cluster
// that has too few, lengths that are no multiple of a tile, no query and no key;
// flattened and not, heads that share keys, other head dimensions.

// RUN: attn-run %s --function=flattened --device=sim --schedules=9 --shape=B=1,Hq=2,Hkv=2,Sq=300,Skv=200 --check | FileCheck %s
// CHECK: {{launched .*, strided, clusters of [24] }}
// RUN: attn-run %s --function=flattened --device=sim --schedules=9 --shape=B=1,Hq=4,Hkv=2,Sq=129,Skv=65 --check
// RUN: attn-run %s --function=flattened --device=sim --schedules=9 --shape=B=2,Hq=3,Hkv=1,Sq=1,Skv=1 --check
// RUN: attn-run %s --function=flattened --device=sim --schedules=3 --shape=B=1,Hq=1,Hkv=1,Sq=130,Skv=0 --check
// RUN: attn-run %s --function=flattened --device=sim --schedules=3 --shape=B=1,Hq=1,Hkv=1,Sq=0,Skv=70 --check
// RUN: attn-run %s --function=plain --device=sim --schedules=9 --shape=B=1,Hq=2,Hkv=1,Sq=300,Skv=200 --check
// RUN: attn-run %s --function=plain --device=sim --schedules=9 --shape=B=1,Hq=1,Hkv=1,Sq=65,Skv=100 --check
// RUN: attn-run %s --function=wide --device=sim --schedules=6 --shape=B=1,Hq=2,Hkv=1,Sq=140,Skv=150 --check
// RUN: attn-run %s --function=widest --device=sim --schedules=3 --shape=B=1,Hq=1,Hkv=1,Sq=140,Skv=90 --check

!t = tensor<?x?x?x64xbf16>
func.func @flattened(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 64, work = "strided", cluster = 2>}
      : !t, !t, !t -> !t
  return %out : !t
}

func.func @plain(%q: !t, %k: !t, %v: !t) -> !t {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 64, key_tile = 64, stages = 3, work = "strided", flatten = false,
      queries_in_registers = true, cluster = 4>}
      : !t, !t, !t -> !t
  return %out : !t
}

!w = tensor<?x?x?x128xf16>
func.func @wide(%q: !w, %k: !w, %v: !w) -> !w {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 80, work = "strided", lazy_rescale = true, cluster = 2>}
      : !w, !w, !w -> !w
  return %out : !w
}

!x = tensor<?x?x?x256xbf16>
func.func @widest(%q: !x, %k: !x, %v: !x) -> !x {
  %out = attn.attention %q, %k, %v {attn.schedule = #attn.schedule<
      query_tile = 128, key_tile = 64, work = "strided", cluster = 8>}
      : !x, !x, !x -> !x
  return %out : !x
}
