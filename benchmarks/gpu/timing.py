"""What the benchmarks here have in common."""

import sys


def import_torch():
    """PyTorch, or the end of the program in a sentence. To be called when the command
    line has been read: `--help` needs no PyTorch."""
    try:
        import torch
    except ModuleNotFoundError:
        sys.exit(f"needs PyTorch, which {sys.executable} does not have: see docs/Dependencies.md")
    return torch


def timed(call, milliseconds):
    """Milliseconds of a call on the device: consecutive ones over `milliseconds`,
    after as long a warm-up."""
    torch = import_torch()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def run(repeats):
        start.record()
        for _ in range(repeats):
            call()
        end.record()
        torch.cuda.synchronize()
        return start.elapsed_time(end) / repeats

    repeats = max(3, int(milliseconds / max(run(1), 1e-3)))
    run(repeats)
    return run(repeats)
