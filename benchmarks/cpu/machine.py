"""What a measurement needs to say about the machine it was made on."""

import os
import pathlib
import time

# The features that decide which kernels an attention implementation can use.
FEATURES = (
    "avx2 fma avx512f avx512bw avx512vl avx512_bf16 avx512_fp16 amx_bf16 amx_tile"
).split()


def describe_cpu():
    """Model, features and caches of the first CPU, as one dictionary."""
    fields = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    flags = set(fields.get("flags", "").split())
    caches = {}
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        read = lambda name: (index / name).read_text().strip()
        if read("type") != "Instruction":
            caches["L" + read("level")] = read("size")
    return {
        "model": fields.get("model name", "unknown"),
        "family": fields.get("cpu family"),
        "model_number": fields.get("model"),
        "cpus": len(os.sched_getaffinity(0)),
        "features": [feature for feature in FEATURES if feature in flags],
        "caches": caches,
    }


def other_load(seconds=1.0):
    """The CPUs that other work keeps busy while this process sleeps."""

    def busy():
        total = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:]
        ticks = [int(field) for field in total[:8]]
        idle = ticks[3] + ticks[4]
        return (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK")

    before, start = busy(), time.monotonic()
    time.sleep(seconds)
    return (busy() - before) / (time.monotonic() - start)


def wait_until_quiet(limit, patience):
    """Sleeps until other work keeps fewer than `limit` CPUs busy, at most
    `patience` seconds; returns the load at the end."""
    deadline = time.monotonic() + patience
    load = other_load()
    while load > limit and time.monotonic() < deadline:
        time.sleep(2)
        load = other_load()
    return load
