"""Calls half.so on arrays of NumPy, whose bf16 is that of ml_dtypes.

    call_from_numpy.py LIBRARY
"""

import sys

import attn_mlir
import ml_dtypes
import numpy as np
from refusals import refuse

half = attn_mlir.load(sys.argv[1])["half"]
q = np.ones((1, 2, 16, 64), ml_dtypes.bfloat16)
out = np.zeros_like(q)
print("bf16", half(q, q, 3 * q, 2, out) is out, out[0, 0, 0, 0], out[0, 1, 15, 63])
single = q.astype(np.float32)
refuse("type", lambda: half(single, q, q, 2, out))
refuse("bits", lambda: half(q.view(np.uint16), q, q, 2, out))
refuse("text", lambda: half(q, np.array(["a"]), q, 2, out))
refuse("scalar", lambda: half(q, q, q, "two", out))
refuse("large", lambda: half(q, q, q, 2**64, out))
refuse("truth", lambda: half(q, q, q, True, out))

# What may only be read is good enough for an argument, not for a result.
fixed = (3 * q).copy()
fixed.setflags(write=False)
print("fixed", half(q, q, fixed, 2, out)[0, 1, 15, 63])
print("spread", half(q, q, np.broadcast_to(fixed[:, :, :1], q.shape), 2, out)[0, 1, 15, 63])
refuse("result", lambda: half(q, q, q, 2, fixed))
refuse("order", lambda: half(q.astype(np.float32).astype(">f4"), q, q, 2, out))
swapped = q.view(q.dtype.newbyteorder(">"))
refuse("order", lambda: half(swapped, q, q, 2, out))
swapped.setflags(write=False)
refuse("order", lambda: half(swapped, q, q, 2, out))
