#!/usr/bin/env python3
"""Compiles the attention functions that the GPU checks and benchmarks call.

    benchmarks/gpu/compile.py OUT [--build=build]

Writes, for each function, OUT/NAME.so, linked with the runtime in OUT, and its
manifest OUT/NAME.json, plus OUT/index.json. Needs the compiler, but no GPU; what
it makes runs where there is a GPU, but no compiler.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

MASKS = {
    "full": "",
    "causal": " mask(#attn.causal)",
    "window": " mask(#attn.window<left = 1023, right = 0>)",
    "top_left": " mask(#attn.causal) alignment top_left",
}


def make_program(name, element, head_dim, mask):
    return f"""!t = tensor<?x?x?x{head_dim}x{element}>
!l = tensor<?x?x?xf32>
func.func @{name}(%q: !t, %k: !t, %v: !t) -> (!t, !l) {{
  %out, %lse = attn.attention %q, %k, %v{MASKS[mask]} : !t, !t, !t -> !t, !l
  return %out, %lse : !t, !l
}}
"""


def run(*command):
    """Standard output of `command`, whose errors end this program, too."""
    result = subprocess.run(command, capture_output=True, text=True)
    sys.stderr.write(result.stderr)
    if result.returncode:
        sys.exit(f"{command[0]} failed with exit code {result.returncode}")
    return result.stdout


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--option", action="append", default=[], help="handed to attn-translate")
    parser.add_argument("--head-dims", default="64,128,256")
    parser.add_argument("--masks", default="full,causal,window,top_left")
    parser.add_argument("--types", default="bf16,f16")
    arguments = parser.parse_args()
    translate = arguments.build / "bin" / "attn-translate"
    runtime = arguments.build / "lib" / "libattn_rt.so"
    missing = [str(path) for path in (translate, runtime) if not path.exists()]
    if missing:
        sys.exit(f"{parser.prog}: not built: {', '.join(missing)}; build first "
                 "(README.md), or name the build folder by --build")
    arguments.out.mkdir(parents=True, exist_ok=True)
    shutil.copy(runtime.resolve(), arguments.out / "libattn_rt.so.1")
    functions = []
    for element in arguments.types.split(","):
        for head_dim in map(int, arguments.head_dims.split(",")):
            for mask in arguments.masks.split(","):
                name = f"attention_{element}_{head_dim}_{mask}"
                program, object_file = (arguments.out / (name + s) for s in (".mlir", ".o"))
                program.write_text(make_program(name, element, head_dim, mask))
                flags = ["--device=cuda", *arguments.option, str(program), "-o"]
                start = time.perf_counter()
                run(str(translate), "--attn-to-object", *flags, str(object_file))
                seconds = time.perf_counter() - start
                run(str(translate), "--attn-to-manifest", *flags, str(arguments.out / (name + ".json")))
                run("cc", "-shared", "-o", str(arguments.out / (name + ".so")), str(object_file),
                    str(arguments.out / "libattn_rt.so.1"), "-Wl,-rpath,$ORIGIN")
                object_file.unlink()
                functions.append({"name": name, "type": element, "head_dim": head_dim, "mask": mask,
                                  "compile_seconds": round(seconds, 3)})
                print(f"{name}: {seconds:.2f} s", flush=True)
    (arguments.out / "index.json").write_text(json.dumps(functions, indent=1))


if __name__ == "__main__":
    main()
