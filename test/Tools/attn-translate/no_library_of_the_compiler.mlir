// A value of bf16 that lives across blocks made LLVM call __truncsfbf2, which
// nothing defines, for CPUs without bf16.
// RUN: attn-translate --attn-to-object %s -o %t.o
// RUN: llvm-nm --undefined-only %t.o | FileCheck %s
// CHECK-NOT: __{{(trunc|extend)}}

func.func @sinks(%q: tensor<?x?x?x16xf32>, %k: tensor<?x?x?x16xf32>, %sinks: tensor<?xbf16>) -> tensor<?x?x?x16xf32> {
  %out = attn.attention %q, %k, %k mask(#attn.causal) sinks(%sinks : tensor<?xbf16>)
      : tensor<?x?x?x16xf32>, tensor<?x?x?x16xf32>, tensor<?x?x?x16xf32> -> tensor<?x?x?x16xf32>
  return %out : tensor<?x?x?x16xf32>
}
