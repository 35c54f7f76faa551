#!/usr/bin/env python3
"""How long the first call of a peer takes, in which it compiles.

    benchmarks/gpu/first_call.py [--peers=triton,flex,flex-tma]

Each peer in a process of its own with empty caches: imports and a product on the
device come before the clock starts. bf16, causal, D 128, S 4096. Triton takes one set
of tiles, untuned. Ours compiles before the program runs: benchmarks/gpu/compile.py
says how long.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

from timing import import_torch


def first_call(peer):
    torch = import_torch()
    import attention
    import triton_attention

    attention.torch = torch

    q, k, v = (torch.randn(4, 16, 4096, 128, device="cuda").bfloat16() for _ in range(3))
    torch.matmul(q, k.transpose(2, 3)).sum().item()
    if peer == "triton":
        untuned = triton_attention.attention
        config = triton_attention.CONFIGS[128][0]

        class Kernel:
            def __getitem__(self, grid):
                def launch(*arguments, **named):
                    named.update(config.kwargs)
                    triton_attention.set_boxes(dict(zip(untuned.arg_names, arguments)) | named)
                    return untuned[grid(named)](*arguments, **named, num_warps=config.num_warps, num_stages=config.num_stages)

                return launch

        call = triton_attention.bind(q, k, v, "causal", kernel=Kernel())
    else:
        call = attention.make_peers([peer], q, k, v, "causal")[peer]
    times = []
    for _ in range(2):
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    print(f"{peer}: first call {times[0]:.2f} s, second {times[1] * 1e3:.2f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="triton,flex,flex-tma")
    parser.add_argument("--in-process", action="store_true", help="one peer, with the caches that there are")
    arguments = parser.parse_args()
    if arguments.in_process:
        return first_call(arguments.peers)
    for peer in arguments.peers.split(","):
        with tempfile.TemporaryDirectory() as caches:
            places = {name: os.path.join(caches, name) for name in ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR")}
            subprocess.run([sys.executable, __file__, f"--peers={peer}", "--in-process"], env=os.environ | places, check=True)


if __name__ == "__main__":
    main()
