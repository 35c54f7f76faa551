// Entries of cu_seqlens and of seqused that lie outside of the tensors, or fall:
// compiled code clamped them, the reference read where they pointed.

// REQUIRES: attn-run
// RUN: attn-run %s --function=packed --shape=q:100x4x32,k:150x2x32,cq:7 --check --plant=cq:1=-7,cq:3=1000000,ck:2=-2147483648,ck:4=90000,cq:6=-1 | FileCheck %s
// RUN: attn-run %s --function=packed --shape=q:100x4x32,k:150x2x32,cq:7 --check --plant=cq:2=60,cq:3=30,ck:2=70,ck:3=30 --time --seconds=0 | FileCheck %s
// RUN: attn-run %s --function=packed --shape=q:100x4x32,k:150x2x32,cq:7 --check --plant=cq:0=2147483647,ck:0=2147483647 | FileCheck %s
// RUN: attn-run %s --function=used --shape=q:100x4x32,k:150x2x32,cq:5 --check --plant=cq:1=90,cq:2=30,ck:1=100,ck:2=30,uq:0=-7,uk:0=100000,uq:2=2147483647,uk:3=-2147483648 | FileCheck %s
// Without entries, or with one, there is no segment: zeros and -inf.
// RUN: attn-run %s --function=packed --shape=q:100x4x32,k:150x2x32,cq:1 --check | FileCheck %s
// RUN: attn-run %s --function=packed --shape=q:100x4x32,k:150x2x32,cq:0 --check --output=%t.o.npy,%t.l.npy | FileCheck %s
// RUN: od -An -tx4 -j128 -v -w4 %t.o.npy | sort -u | FileCheck %s --check-prefix=ZERO
// RUN: od -An -tx4 -j128 -v -w4 %t.l.npy | sort -u | FileCheck %s --check-prefix=INF
// RUN: not attn-run %s --function=used --shape=q:100x4x32,k:150x2x32,cq:0 --check 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: out {{.*}} passed
// CHECK: lse {{.*}} passed
// ZERO: 00000000
// ZERO-NOT: {{.}}
// INF: ff800000
// INF-NOT: {{.}}
// NONE: shape 'cq:0': extent 'B' expected to be at least 0, got -1

!q = tensor<?x4x32xf32>
!k = tensor<?x2x32xf32>
!l = tensor<4x?xf32>
!i = tensor<?xi32>

func.func @packed(%q: !q, %k: !k, %v: !k, %cq: !i, %ck: !i) -> (!q, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal)
      cu_seqlens(%cq, %ck : !i, !i) : !q, !k, !k -> !q, !l
  return %out, %lse : !q, !l
}

func.func @used(%q: !q, %k: !k, %v: !k, %cq: !i, %ck: !i, %uq: !i, %uk: !i) -> (!q, !l) {
  %out, %lse = attn.attention %q, %k, %v mask(#attn.causal)
      cu_seqlens(%cq, %ck : !i, !i) seqused_q(%uq : !i) seqused_kv(%uk : !i)
      : !q, !k, !k -> !q, !l
  return %out, %lse : !q, !l
}
