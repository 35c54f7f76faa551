"""Compiled functions: loading, passing tensors, errors."""

import ctypes
import json
import numbers
import operator
import os
import pathlib

_CUDA = 2  # DLDeviceType
_BFLOAT = 4  # DLDataTypeCode
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}  # of NumPy's kinds


class AttentionError(RuntimeError):
    """A compiled function refused its arguments or failed; the text is its own."""


class UnknownFunctionError(KeyError):
    """A library has no function of this name; the text says which it has."""

    def __str__(self):
        return self.args[0]  # KeyError would quote it


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


def _tensor_pointer(capsule):
    return _capsule_pointer(capsule, b"dltensor")


def _bfloat_capsule(tensor):
    """Of a NumPy array of ml_dtypes.bfloat16, which NumPy exports as it does 16 bits."""
    capsule = tensor.view("uint16").__dlpack__()
    _DLTensor.from_address(_tensor_pointer(capsule)).code = _BFLOAT
    return capsule


def _capsule(tensor, stream):
    """A DLPack capsule of `tensor`, ready for use on `stream`."""
    if hasattr(tensor, "detach"):
        tensor = tensor.detach()  # PyTorch exports no tensor that needs gradients
    if _is_numpy(tensor) and tensor.dtype.name == "bfloat16":
        return _bfloat_capsule(tensor)
    # What is elsewhere goes as it is: the function itself refuses it.
    if stream is None or tensor.__dlpack_device__()[0] != _CUDA:
        return tensor.__dlpack__()
    # By the array API standard: 1 is the legacy default stream.
    return tensor.__dlpack__(stream=stream or 1)


def _is_numpy(tensor):
    return any(base.__module__ == "numpy" and base.__name__ == "ndarray" for base in type(tensor).__mro__)


class _Borrowed:
    """What a capsule would hold, of a NumPy array that may only be read: NumPy
    exports none of these."""

    def __init__(self, array):
        self.array = array
        size = array.dtype.itemsize
        extents = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(s // size for s in array.strides))
        code = _BFLOAT if array.dtype.name == "bfloat16" else _CODES[array.dtype.kind]
        data = array.__array_interface__["data"][0]
        self.tensor = _DLTensor(data, 1, 0, array.ndim, code, 8 * size, 1, extents, strides, 0)


def _is_read_only(tensor):
    return _is_numpy(tensor) and not tensor.flags.writeable


def _is_on_cuda(value):
    return hasattr(value, "__dlpack_device__") and value.__dlpack_device__()[0] == _CUDA


def _current_stream(tensors):
    """The stream that the framework of the first CUDA tensor works on."""
    for tensor in filter(_is_on_cuda, tensors):
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
        return self.bind(*values, stream=stream)()

    def bind(self, *values, stream=None):
        """A callable that calls with these very arguments, again and again.

        Each call returns the results, as calling the function does.
        """
        if len(values) != len(self._order):
            raise TypeError(
                f"{self.name} expected {len(self._order)} values, arguments {_names(self.arguments)} and then "
                f"results {_names(self.results)}, got {len(values)}"
            )
        on_device = self.device == "cuda"
        if stream is not None and not on_device:
            raise TypeError(f"{self.name}: 'stream' expected None, for the function runs on the CPU, got {stream!r}")
        if on_device and stream is None:
            stream = _current_stream(values)
        elif on_device and (isinstance(stream, bool) or not isinstance(stream, numbers.Integral)):
            raise TypeError(f"{self.name}: 'stream' expected an address as an integer, got {_kind(stream)}")
        capsules, arguments = [], []
        for description, value in zip(self._order, values):
            if description["kind"] != "tensor":
                arguments.append(self._scalar(description, value))
                continue
            if _is_numpy(value) and not value.dtype.isnative:
                # Of bf16 and of read-only arrays NumPy would not notice.
                raise TypeError(
                    f"{self.name}: '{description['name']}' expected a tensor of {description['type']} in the machine's "
                    f"byte order, got {value.dtype.str}"
                )
            if _is_read_only(value):
                capsules.append(self._borrow(description, value))
                arguments.append(ctypes.byref(capsules[-1].tensor))
                continue
            capsules.append(self._export(description, value, stream if on_device else None))
            arguments.append(ctypes.c_void_p(_tensor_pointer(capsules[-1])))
        if on_device:
            arguments.append(ctypes.c_void_p(stream))
        outputs = values[len(self.arguments) :]

        def call():
            if self._entry(*arguments):
                raise AttentionError(self._last_error().decode())
            return outputs[0] if len(outputs) == 1 else outputs

        call.capsules = capsules  # keep the memory
        return call

    def _scalar(self, description, value):
        kind = description["type"]
        expected = f"{self.name}: '{description['name']}' expected a number of type {kind}"
        type = _SCALARS[kind]
        is_float = type in (ctypes.c_float, ctypes.c_double)
        if isinstance(value, bool) or not isinstance(value, numbers.Real if is_float else numbers.Integral):
            raise TypeError(f"{expected}, got {_kind(value)}")
        if not is_float:
            bits = 8 * ctypes.sizeof(type)
            value = operator.index(value)
            if not -(1 << bits - 1) <= value < 1 << bits - 1:
                raise TypeError(f"{expected}, {bits} bits, got {value}")
            return type(value)
        try:
            result = type(value)
        except OverflowError:
            result = type(float("inf"))
        # What is finite must stay so.
        if abs(result.value) == float("inf") and abs(value) != float("inf"):
            raise TypeError(f"{expected}, got {value}, which is beyond its range")
        return result

    def _borrow(self, description, value):
        expected = f"{self.name}: '{description['name']}' expected a tensor of {description['type']}"
        if description.get("output"):
            raise TypeError(f"{expected} to write into, got an array that is read-only")
        if value.dtype.name != "bfloat16" and value.dtype.kind not in _CODES:
            raise TypeError(f"{expected}, got one of {value.dtype}")
        if any(stride % value.dtype.itemsize for stride in value.strides):
            raise TypeError(f"{expected}, got strides of {value.strides} bytes, parts of an element of {value.dtype}")
        return _Borrowed(value)

    def _export(self, description, value, stream):
        expected = f"{self.name}: '{description['name']}' expected a tensor of {description['type']}"
        if not hasattr(value, "__dlpack__"):
            raise TypeError(f"{expected} that speaks DLPack, got {_kind(value)}")
        try:
            return _capsule(value, stream)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            hint = ""
            if _is_numpy(value) and description["type"] == "bf16" and value.dtype.name != "bfloat16":
                hint = "; NumPy's bf16 is ml_dtypes.bfloat16"
            kind = getattr(value, "dtype", None)
            raise TypeError(f"{expected}, got one of {kind} that is not exported: {error}{hint}") from error


def _names(descriptions):
    return "(" + ", ".join(d["name"] for d in descriptions) + ")"


def _kind(value):
    return f"a value of type {type(value).__name__}"


class Library(dict):
    """Functions by name."""

    def __init__(self, path, functions):
        super().__init__((f.name, f) for f in functions)
        self.path = path

    def __missing__(self, name):
        raise UnknownFunctionError(f"{self.path} has no function {name!r}; it has {', '.join(self) or 'none'}")


def load(path):
    """The functions of the library `path`, with or without `.so`, by name."""
    path = pathlib.Path(os.fspath(path))
    # Names may have dots: only these are taken for the end of one.
    name = path.name.removesuffix(".so").removesuffix(".json")
    library, manifest = path.with_name(name + ".so"), path.with_name(name + ".json")
    functions = json.loads(manifest.read_text())["functions"]
    code = ctypes.CDLL(str(library.resolve()))
    missing = [f["symbol"] for f in functions if not hasattr(code, f["symbol"])]
    if missing:
        raise AttentionError(
            f"{library} has no {', '.join(missing)}, which {manifest} describes: they were made of different programs"
        )
    return Library(library, [Function(code, f) for f in functions])
