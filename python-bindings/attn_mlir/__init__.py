"""Calls compiled attention functions on tensors that the caller holds.

    import attn_mlir
    prefill = attn_mlir.load("prefill")["prefill"]      # prefill.so, prefill.json
    prefill(q, k, v, out)                               # on the current stream

A library is what `attn-translate --attn-to-object` made, linked with the runtime;
beside it stands its manifest (`--attn-to-manifest`). Nothing of the compiler is
needed to load it. Tensors are taken through DLPack: of PyTorch, CuPy, JAX, NumPy.
"""

from .artifact import AttentionError, Function, Library, UnknownFunctionError, load

__all__ = ["AttentionError", "Function", "Library", "UnknownFunctionError", "load"]
