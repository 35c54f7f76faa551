"""How long a call takes on the device, for all benchmarks here."""

import torch


def timed(call, milliseconds):
    """Milliseconds of a call: consecutive ones over `milliseconds`, after as long a
    warm-up."""
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
