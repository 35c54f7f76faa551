// Kernels in the LLVM and NVVM dialects to PTX text.

// REQUIRES: attn-translate
// RUN: attn-translate --attn-llvm-to-ptx %s | FileCheck %s
// RUN: attn-translate --attn-llvm-to-ptx %s -o %t.first
// RUN: attn-translate --attn-llvm-to-ptx %s | diff %t.first -
// RUN: attn-translate --attn-llvm-to-ptx --chip=sm_100a --ptx-version=ptx88 %s | FileCheck %s --check-prefix=BLACKWELL
// RUN: not attn-translate --attn-llvm-to-ptx --chip=sm_91 %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not attn-translate --attn-llvm-to-ptx --ptx-version=ptx70 %s 2>&1 | FileCheck %s --check-prefix=VERSION

// CHECK: .version 8.7
// CHECK-NEXT: .target sm_90a
// CHECK-NEXT: .address_size 64
// BLACKWELL: .version 8.8
// BLACKWELL-NEXT: .target sm_100a
// CHIP: error: unknown chip 'sm_91', expected one of {{.*}}sm_90, sm_90a
// VERSION: error: chip 'sm_90a' is not in ptx70, expected ptx80 or newer

// CHECK: .extern .shared .align 1024 .b8 smem[];
llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// A tensor map stays a parameter: no copy of it in local memory.
// CHECK: .visible .entry kernel(
// CHECK-NEXT: .param .align 64 .b8 kernel_param_0[128]
// CHECK: .reqntid 128
// CHECK-NOT: .local
// CHECK: prefetch.param.tensormap
// CHECK: ex2.approx.ftz.f32
// CHECK: bar.sync
llvm.func @kernel(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant},
                  %out: !llvm.ptr<1>, %x: f32)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  llvm.inline_asm has_side_effects "prefetch.param.tensormap [$0];", "l" %map : (!llvm.ptr) -> ()
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %y = llvm.intr.exp2(%x) : (f32) -> f32
  llvm.store %y, %smem : f32, !llvm.ptr<3>
  nvvm.barrier0
  %z = llvm.load %smem : !llvm.ptr<3> -> f32
  llvm.store %z, %out : f32, !llvm.ptr<1>
  llvm.return
}
