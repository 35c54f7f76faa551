// RUN: attn-opt %s -attn-cpu-vectorize=vector-bits=384 -verify-diagnostics

// expected-error @+1 {{vector-bits is 384, expected 128, 256 or 512}}
module {}
