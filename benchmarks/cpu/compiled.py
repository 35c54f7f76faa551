"""Compiles attention programs by the shipped path and calls them on tensors.

attn-translate makes an object, the system's C compiler links it with the runtime
library into a shared library, and ctypes calls its C entry with DLPack's tensor
structure on memory that PyTorch owns.
"""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("ATTN_BUILD_DIR", ROOT / "build"))

# The values of AttnRtDataType.code and .bits, by MLIR's name of the type.
DATA_TYPES = {"f32": (2, 32), "bf16": (4, 16)}


class Device(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    ]


class Tensor(ctypes.Structure):
    """AttnRtTensor of include/attn-rt/Tensor.h."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def describe(tensor, element):
    """The Tensor of a PyTorch CPU tensor whose elements MLIR calls `element`."""
    code, bits = DATA_TYPES[element]
    extents = ctypes.c_int64 * tensor.dim()
    return Tensor(
        data=tensor.data_ptr(),
        device=Device(1, 0),
        ndim=tensor.dim(),
        dtype=DataType(code, bits, 1),
        shape=extents(*tensor.shape),
        strides=extents(*tensor.stride()),
        byte_offset=0,
    )


def attention_program(name, shape, element, causal):
    """MLIR of self-attention on `shape` = (B, H, S, D); None: a dynamic extent."""
    extents = "x".join("?" if extent is None else str(extent) for extent in shape)
    tensor = f"tensor<{extents}x{element}>"
    mask = " mask(#attn.causal)" if causal else ""
    return (
        f"func.func @{name}(%q: {tensor}, %k: {tensor}, %v: {tensor}) -> {tensor} {{\n"
        f"  %out = attn.attention %q, %k, %v{mask}"
        f" : {tensor}, {tensor}, {tensor} -> {tensor}\n"
        f"  return %out : {tensor}\n"
        "}\n"
    )


class Compiled:
    """One compiled function of a shared library."""

    def __init__(self, name, program, folder, options=()):
        if not (BUILD / "bin/attn-translate").exists():
            sys.exit(f"not built: {BUILD / 'bin/attn-translate'}; build first (README.md), "
                     "or name the build folder by ATTN_BUILD_DIR")
        source = pathlib.Path(folder) / f"{name}.mlir"
        source.write_text(program)
        obj = source.with_suffix(".o")
        library = source.with_suffix(".so")
        subprocess.run(
            [
                BUILD / "bin/attn-translate",
                "--attn-to-object",
                "--cpu=host",
                *options,
                source,
                "-o",
                obj,
            ],
            check=True,
        )
        compiler = os.environ.get("CC") or shutil.which("cc") or "clang-22"
        subprocess.run(
            [
                compiler,
                "-shared",
                obj,
                f"-L{BUILD / 'lib'}",
                "-lattn_rt",
                f"-Wl,-rpath,{BUILD / 'lib'}",
                "-o",
                library,
            ],
            check=True,
        )
        self._library = ctypes.CDLL(str(library))
        self._function = getattr(self._library, name)
        self._function.restype = ctypes.c_int32
        runtime = ctypes.CDLL(str(BUILD / "lib/libattn_rt.so"))
        self._last_error = runtime.attn_rt_last_error
        self._last_error.restype = ctypes.c_char_p
        self.num_threads = runtime.attn_rt_get_num_threads()

    def __call__(self, element, *tensors):
        """Calls the function: inputs in order, then the output."""
        described = [describe(tensor, element) for tensor in tensors]
        status = self._function(*map(ctypes.byref, described))
        if status != 0:
            raise RuntimeError(self._last_error().decode())
