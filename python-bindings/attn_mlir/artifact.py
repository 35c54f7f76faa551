"""Compiled functions: loading, passing tensors, errors."""

import ctypes
import json
import os
import pathlib

_CUDA = 2  # DLDeviceType


class AttentionError(RuntimeError):
    """A compiled function refused its arguments or failed; the text is its own."""


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

_SCALARS = {
    "index": ctypes.c_int64,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}


def _capsule(tensor, stream):
    """A DLPack capsule of `tensor`, ready for use on `stream`."""
    if hasattr(tensor, "detach"):
        tensor = tensor.detach()  # PyTorch exports no tensor that needs gradients
    # What is elsewhere goes as it is: the function itself refuses it.
    if stream is None or tensor.__dlpack_device__()[0] != _CUDA:
        return tensor.__dlpack__()
    # By the array API standard: 1 is the legacy default stream.
    return tensor.__dlpack__(stream=stream or 1)


def _current_stream(tensors):
    """The stream that the framework of the first CUDA tensor works on."""
    for tensor in tensors:
        module = type(tensor).__module__.split(".")[0]
        if module == "torch":
            import torch

            return torch.cuda.current_stream(tensor.device).cuda_stream
        if module == "cupy":
            import cupy

            return cupy.cuda.get_current_stream().ptr
    return 0


class Function:
    """One function of a library.

    `arguments` and `results` describe its tensors and scalars as the manifest does.
    """

    def __init__(self, library, description):
        self.name = description["symbol"]
        self.device = description["device"]
        self.arguments = [a for a in description["arguments"] if not a.get("output")]
        self.results = [a for a in description["arguments"] if a.get("output")]
        self._order = description["arguments"]
        self._entry = getattr(library, self.name)
        self._entry.restype = ctypes.c_int32
        self._last_error = library.attn_rt_last_error
        self._last_error.restype = ctypes.c_char_p

    def __call__(self, *values, stream=None):
        """Calls with all arguments, then all results, which are written.

        On a CUDA device `stream` is a CUstream or cudaStream_t as an integer; by
        default the current one of the tensors' framework. Returns the results.
        """
        bound = self.bind(*values, stream=stream)
        bound()
        outputs = values[len(self.arguments) :]
        return outputs[0] if len(outputs) == 1 else outputs

    def bind(self, *values, stream=None):
        """A callable that calls with these very arguments, again and again."""
        if len(values) != len(self._order):
            names = ", ".join(a["name"] for a in self._order)
            raise TypeError(f"{self.name} expected {len(self._order)} values ({names}), got {len(values)}")
        on_device = self.device == "cuda"
        if on_device and stream is None:
            stream = _current_stream(values)
        capsules, arguments = [], []
        for description, value in zip(self._order, values):
            if description["kind"] != "tensor":
                arguments.append(_SCALARS[description["type"]](value))
                continue
            capsules.append(_capsule(value, stream if on_device else None))
            arguments.append(ctypes.c_void_p(_capsule_pointer(capsules[-1], b"dltensor")))
        if on_device:
            arguments.append(ctypes.c_void_p(stream))

        def call():
            if self._entry(*arguments):
                raise AttentionError(self._last_error().decode())

        call.capsules = capsules  # keep the memory
        return call


def load(path):
    """The functions of the library `path`, with or without `.so`, by name."""
    path = pathlib.Path(os.fspath(path))
    library = path if path.suffix == ".so" else path.with_suffix(".so")
    manifest = json.loads(library.with_suffix(".json").read_text())
    code = ctypes.CDLL(str(library.resolve()))
    return {f["symbol"]: Function(code, f) for f in manifest["functions"]}
