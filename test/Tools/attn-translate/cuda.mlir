// From the user level to files for a GPU. Needs neither a GPU nor CUDA: without
// ptxas the object has the PTX alone.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-to-ptx %s -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: attn-translate --attn-to-object --device=cuda %s -o %t.o
// RUN: llvm-nm-22 %t.o | FileCheck %s --check-prefix=OBJECT
// RUN: attn-translate --attn-to-header --device=cuda %s | FileCheck %s --check-prefix=HEADER
// RUN: attn-translate --attn-to-manifest --device=cuda %s | FileCheck %s --check-prefix=MANIFEST
// RUN: attn-translate --attn-to-ptx --ptx-version=ptx88 %s | FileCheck %s --check-prefix=VERSION
// RUN: not attn-translate --attn-to-ptx --chip=sm_9000 %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not attn-translate --attn-to-object --device=cuda --ptxas=/nowhere %s -o %t.none 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not attn-translate --attn-to-ptx --query-tile=100 %s 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not attn-translate --attn-to-object --device=tpu %s 2>&1 | FileCheck %s --check-prefix=DEVICE

// PTX: .version 8.7
// PTX: .target sm_90a
// PTX: .visible .entry causal_kernel(
// The kernel of a whole asynchronous program.
// PTX-DAG: setmaxnreg.dec
// PTX-DAG: setmaxnreg.inc
// PTX-DAG: cp.async.bulk.tensor
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// PTX-DAG: mbarrier.try_wait
// PTX-NOT: .visible .entry

// OBJECT-DAG: T causal
// OBJECT-DAG: U attn_rt_cuda_begin
// OBJECT-DAG: U attn_rt_cuda_encode_tile_map
// OBJECT-DAG: U attn_rt_cuda_launch
// OBJECT-DAG: U attn_rt_cuda_end
// HEADER: AttnRtStatus causal(const AttnRtTensor *q, const AttnRtTensor *keys, const AttnRtTensor *v, const AttnRtTensor *out, void *stream);
// MANIFEST: "device": "cuda"
// VERSION: .version 8.8
// CHIP: error: {{.*}}sm_9000
// ABSENT: error: no ptxas at '/nowhere', which an option names
// ROWS: cuda.mlir:[[#@LINE+7]]:10: error: no kernel has the schedule given:
// ROWS-NEXT: 'query_tile' expected a multiple of 64, at most 448 ({{.*}}), got 100
// DEVICE: attn-translate: for the --device option: expected one of cpu, cuda; got 'tpu'

!t = tensor<1x2x?x128xbf16>
func.func @causal(%q: !t, %keys: !t, %v: !t) -> !t {
  // Nothing of it is for the CPU.
  %out = attn.attention %q, %keys, %v mask (#attn.causal) : !t, !t, !t -> !t
  return %out : !t
}
