"""Calls layer.so as docs/Embedding.md shows it, on arrays of the standard library
that speak DLPack. Also holds the page's program in C against the example's.

    call_from_python.py LIBRARY SOURCE_ROOT [LIBRARY_FOR_A_GPU]
"""

import array
import ctypes
import pathlib
import sys

import attn_mlir
from attn_mlir.artifact import _DLTensor
from refusals import refuse


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Array:
    """A dense array of f32 in the memory of the CPU."""

    def __init__(self, shape, value):
        count = 1
        for extent in shape:
            count *= extent
        self.data = array.array("f", [value]) * count
        self._shape = (ctypes.c_int64 * len(shape))(*shape)
        address, _ = self.data.buffer_info()
        self._managed = _Managed(
            _DLTensor(address, 1, 0, len(shape), 2, 32, 1, self._shape, None, 0), None, None
        )

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self):
        return _new_capsule(ctypes.addressof(self._managed), b"dltensor", None)


def main():
    library, root = map(pathlib.Path, sys.argv[1:3])
    page = (root / "docs/Embedding.md").read_text()
    program = (root / "examples/c/main.c").read_text()
    program = program[program.index("#include") :]
    if f"```c\n{program}```" not in page:
        sys.exit("docs/Embedding.md shows another program than examples/c/main.c")
    functions = attn_mlir.load(library)
    causal = functions["causal"]
    print("arguments", *(a["name"] for a in causal.arguments))
    print("results", *(a["name"] for a in causal.results))
    q, k, v, out = (Array((1, 2, 16, 64), x) for x in (1, 1, 3, 0))
    print("same", causal(q, k, v, out) is out)
    print("out", out.data[0])
    print("bound", causal.bind(q, k, v, out)() is out)
    refuse("extent", lambda: causal(q, Array((1, 3, 16, 64), 1), v, out))
    refuse("name", lambda: functions["casual"])
    refuse("count", lambda: causal(q, k, v))
    refuse("list", lambda: causal(q, [1], v, out))
    refuse("none", lambda: causal(q, k, v, None))
    refuse("stream", lambda: causal(q, k, v, out, stream=1))
    # Beside layer.so there is no layer.v2.so.
    refuse("dotted", lambda: attn_mlir.load(library.with_name(library.name + ".v2")))
    renamed = library.with_name("renamed")
    renamed.with_suffix(".so").write_bytes(library.with_suffix(".so").read_bytes())
    manifest = library.with_suffix(".json").read_text().replace('"symbol": "causal"', '"symbol": "other"')
    renamed.with_suffix(".json").write_text(manifest)
    refuse("manifest", lambda: attn_mlir.load(renamed))
    if len(sys.argv) > 3:
        # Without a device, or of another framework than the module looks for: no
        # stream is asked for, and the function itself refuses them.
        Array.__module__ = "torch"
        on_device = attn_mlir.load(sys.argv[3])["f"]
        refuse("device", lambda: on_device(q, k, v, out))


if __name__ == "__main__":
    main()
