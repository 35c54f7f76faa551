// RUN: attn-opt %s --convert-attn-gpu-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

// Without roles the first thread of the block fetches and publishes; all read
// between two barriers. One fetch for each point, when it is done; the last
// leaves 0.

// CHECK-LABEL: llvm.func @dynamic(
// CHECK-SAME:    %[[COUNTER:[^:, ]*]]: !llvm.ptr<1>) attributes
// CHECK-SAME:    attn_gpu.dynamic_shared_bytes = 16 : i64
// CHECK-SAME:    {kind = "counter"}], attn_gpu.persistent
// CHECK-DAG:     %[[POINTS:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK-DAG:     %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-DAG:     %[[GRID:.*]] = nvvm.read.ptx.sreg.nctaid.x : i32
// CHECK-DAG:     %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32 : i32
// CHECK:         scf.while (%[[NUMBER:.*]] = %[[BLOCK]], %[[COUNT:.*]] = %c0_i32
// CHECK:           nvvm.barrier0
// CHECK:           %[[EXISTS:.*]] = arith.cmpi ult, %[[NUMBER]], %[[POINTS]]
// CHECK-COUNT-2:   st.shared.b32 [$0+{{[04]}}], $2;
// CHECK:           nvvm.barrier0
// CHECK:           %[[W0:.*]] = llvm.inline_asm {{.*}}"ld.shared.b32 $0, [$1+0];"
// CHECK:           %[[W1:.*]] = llvm.inline_asm {{.*}}"ld.shared.b32 $0, [$1+4];"
// CHECK:           %[[U0:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[W0]]
// CHECK:           %[[U1:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[W1]]
// CHECK:           %[[IS:.*]] = arith.cmpi ne, %[[U0]], %c0_i32
// CHECK:           scf.condition(%[[IS]]) %[[U1]]
// CHECK:         } do {
// CHECK-NOT:       atom.global
// CHECK:           st.global
// CHECK:           %[[GOT:.*]] = llvm.inline_asm {{.*}}"mov.b32 $0, 0;\0A@$2 atom.global.add.u32 $0, [$1], 1;", {{.*}} %[[COUNTER]], %[[FIRST]]
// CHECK:           %[[LAST:.*]] = arith.cmpi eq, %[[GOT]], %{{.*}} : i32
// CHECK:           %[[RESET:.*]] = arith.andi %[[FIRST]], %[[LAST]]
// CHECK:           "@$1 st.global.b32 [$0], $2;", {{.*}} %[[COUNTER]], %[[RESET]], %c0_i32
// CHECK:           %[[NEXT:.*]] = arith.addi %[[GOT]], %[[GRID]]
// CHECK:           scf.yield %[[NEXT]]
attn_gpu.kernel @dynamic(%to: memref<?x1xf32>, %tiles: index) warpgroups 1 {
  %x = arith.constant dense<1.0> : vector<64x1xf32>
  attn_gpu.work_loop (%t) in (%tiles) schedule dynamic {
    %c0 = arith.constant 0 : index
    attn_gpu.write %x to %to[%t, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}

// -----

// With roles: the producer publishes through a ring of two slots, the consumers
// keep no number. What is carried stays carried.

// CHECK-LABEL: llvm.func @roles(
// CHECK-NOT:     kind = "counter"
// CHECK-SAME:    attn_gpu.persistent
// Barriers of the two slots: 8 bytes each, full before empty.
// CHECK-COUNT-4: nvvm.mbarrier.init
// CHECK-NOT:     nvvm.mbarrier.init
// CHECK:         nvvm.setmaxregister decrease
// CHECK:         scf.while
// CHECK:           mbarrier.try_wait.parity
// CHECK-COUNT-2:   st.shared.b32
// CHECK:           mbarrier.arrive.shared::cta.b64
// CHECK:           scf.condition
// CHECK-NOT:       atom.global
// CHECK:         nvvm.setmaxregister increase
// CHECK:         scf.while (%{{.*}} = %c0_i32) : (i32) -> (i32, i32) {
// CHECK:           mbarrier.try_wait.parity
// CHECK-COUNT-2:   ld.shared.b32
// CHECK-COUNT-2:   nvvm.shfl.sync
// CHECK:           mbarrier.arrive.shared::cta.b64
// CHECK:           scf.condition
// CHECK-NOT:       barrier0
// CHECK:         llvm.return
attn_gpu.kernel @roles(%to: memref<?x1xf32>, %tiles: index) warpgroups 1 {
  %x = arith.constant dense<1.0> : vector<64x1xf32>
  attn_gpu.warp_specialize producer 56 {
    attn_gpu.work_loop (%t) in (%tiles) schedule strided {
    }
  } consumers 256 {
    attn_gpu.work_loop (%t) in (%tiles) schedule strided {
      %c0 = arith.constant 0 : index
      attn_gpu.write %x to %to[%t, %c0] : vector<64x1xf32>, memref<?x1xf32>
    }
  }
  attn_gpu.return
}

// -----

// Groups: number = which * members * last extent + last * members here + member.

// CHECK-LABEL: llvm.func @groups(
// CHECK-SAME:    %[[HEADS:[^:, ]*]]: i64, %[[TILES:[^:, ]*]]: i64)
// CHECK-DAG:     %[[H:.*]] = arith.maxsi %[[HEADS]],
// CHECK-DAG:     %[[TILES32:.*]] = arith.trunci %[[TILES]] : i64 to i32
// CHECK-DAG:     %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK:         scf.if
// CHECK-DAG:       %[[ALL:.*]] = arith.trunci %[[H]] : i64 to i32
// CHECK-DAG:       %[[SOME:.*]] = arith.minsi %[[H]], %c3_i64
// CHECK:           %[[MEMBERS:.*]] = arith.trunci %[[SOME]] : i64 to i32
// CHECK:           %[[SIZE:.*]] = arith.muli %[[MEMBERS]], %[[TILES32]]
// CHECK-DAG:       %[[WHICH:.*]] = arith.divui %[[BLOCK]], %[[SIZE]]
// CHECK-DAG:       %[[IN:.*]] = arith.remui %[[BLOCK]], %[[SIZE]]
// CHECK:           %[[BEGIN:.*]] = arith.muli %[[WHICH]], %[[MEMBERS]]
// CHECK:           %[[LEFT:.*]] = arith.subi %[[ALL]], %[[BEGIN]]
// CHECK:           %[[HERE:.*]] = arith.minui %[[MEMBERS]], %[[LEFT]]
// CHECK-DAG:       arith.divui %[[IN]], %[[HERE]]
// CHECK-DAG:       %[[MEMBER:.*]] = arith.remui %[[IN]], %[[HERE]]
// CHECK:           arith.addi %[[BEGIN]], %[[MEMBER]]
attn_gpu.kernel @groups(%to: memref<?x?x1xf32>, %heads: index, %tiles: index)
    warpgroups 1 {
  %c3 = arith.constant 3 : index
  %x = arith.constant dense<1.0> : vector<64x1xf32>
  attn_gpu.work_loop (%h, %t) in (%heads, %tiles) group %c3 {
    %c0 = arith.constant 0 : index
    attn_gpu.write %x to %to[%h, %t, %c0] : vector<64x1xf32>, memref<?x?x1xf32>
  }
  attn_gpu.return
}

// -----

// A block with no point gives what is carried as it was.

// CHECK-LABEL: llvm.func @carried(
// CHECK:         %[[R:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK:           %[[X:.*]] = arith.addf %[[INIT:.*]], %[[INIT]] : f32
// CHECK:           scf.yield %[[X]]
// CHECK:         } else {
// CHECK:           scf.yield %[[INIT]]
attn_gpu.kernel @carried(%to: memref<64x1xf32>, %n: index, %f: f32) warpgroups 1 {
  %c0 = arith.constant 0 : index
  %r = attn_gpu.work_loop (%t) in (%n) iter_args(%g = %f) -> (f32) {
    %h = arith.addf %g, %g : f32
    attn_gpu.yield %h : f32
  }
  %x = vector.broadcast %r : f32 to vector<64x1xf32>
  attn_gpu.write %x to %to[%c0, %c0] : vector<64x1xf32>, memref<64x1xf32>
  attn_gpu.return
}

// -----

// All blocks of a cluster run the same points: its number, and on by as many as
// there are clusters.

// CHECK-LABEL: llvm.func @clusters(
// CHECK-SAME:    attn_gpu.cluster = 2 : i64
// CHECK-DAG:     %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-DAG:     %[[CLUSTER:.*]] = arith.divui %[[BLOCK]], %c2_i32
// CHECK-DAG:     %[[GRID:.*]] = nvvm.read.ptx.sreg.nctaid.x : i32
// CHECK-DAG:     %[[CLUSTERS:.*]] = arith.divui %[[GRID]], %c2_i32
// CHECK:         scf.while (%[[NUMBER:.*]] = %[[CLUSTER]]
// CHECK:         } do {
// CHECK:           %[[RANK:.*]] = llvm.inline_asm {{.*}}"mov.u32 $0, %cluster_ctarank;"
// CHECK:           arith.index_castui %[[RANK]] : i32 to index
// CHECK:           arith.addi %{{.*}}, %[[CLUSTERS]]
attn_gpu.kernel @clusters(%to: memref<?x1xf32>, %pairs: index) warpgroups 1 cluster 2 {
  %x = arith.constant dense<1.0> : vector<64x1xf32>
  attn_gpu.work_loop (%t) in (%pairs) schedule strided {
    %c0 = arith.constant 0 : index
    %rank = attn_gpu.cluster_rank
    %tile = arith.addi %t, %rank : index
    attn_gpu.write %x to %to[%tile, %c0] : vector<64x1xf32>, memref<?x1xf32>
  }
  attn_gpu.return
}
