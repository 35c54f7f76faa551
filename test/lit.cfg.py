# The lit suite. A test is one .mlir file; `lit build/test/Dialect/Attn/ops.mlir`
# runs one by hand, ctest runs each under its own name.
#
# --param mode=roundtrip   every attn-opt also prints and parses its input again,
#                          as text and as byte code
# --param mode=bytecode    what attn-opt prints has gone through byte code

import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

mode = lit_config.params.get("mode", "lit")

config.name = "attn-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.attn_obj_root, "test", mode)

llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.attn_tools_dir, append_path=True)

attn_opt = ToolSubst("attn-opt", unresolved="fatal")
if mode == "roundtrip":
    attn_opt = ToolSubst("attn-opt", extra_args=["--verify-roundtrip"])
elif mode == "bytecode":
    script = os.path.join(config.test_source_root, "opt-through-bytecode.sh")
    real = os.path.join(config.attn_tools_dir, "attn-opt")
    attn_opt = ToolSubst("attn-opt", command=f"bash {script} {real}")

# Those that a build may leave out are not fatal: their tests REQUIRE them.
tools = [attn_opt]
for name in ("attn-run", "attn-translate", "attn-lsp-server"):
    if os.path.exists(os.path.join(config.attn_tools_dir, name)):
        config.available_features.add(name)
        tools.append(ToolSubst(name))
tools += [ToolSubst(name) for name in ("mlir-opt", "mlir-translate", "mlir-runner")]
llvm_config.add_tool_substitutions(
    tools, [config.attn_tools_dir, config.llvm_tools_dir]
)

config.substitutions.append(("%attn_plugin", config.attn_plugin))
attn_lib_dir = os.path.dirname(config.attn_plugin)
config.substitutions.append(("%attn_lib_dir", attn_lib_dir))
if os.path.exists(os.path.join(attn_lib_dir, "libattn_rt.so")):
    config.available_features.add("runtime")
config.substitutions.append(("%attn_src_root", config.attn_src_root))
config.substitutions.append(("%mlir_lib_dir", config.mlir_lib_dir))
if config.attn_assertions:
    config.available_features.add("assertions")
if os.path.exists(config.attn_plugin):
    config.available_features.add("plugin")
for program in ("cc", "clang-22", "python3"):
    if shutil.which(program):
        config.available_features.add(program)
if shutil.which("python3") and not subprocess.run(
    ["python3", "-c", "import ml_dtypes, numpy"], capture_output=True
).returncode:
    config.available_features.add("numpy")

# Where the compiler looks for it, but for options.
places = [os.environ.get("ATTN_PTXAS", "")]
if "CUDA_HOME" in os.environ:
    places.append(os.path.join(os.environ["CUDA_HOME"], "bin", "ptxas"))
places += [shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas"]
if any(place and os.path.exists(place) for place in places):
    config.available_features.add("ptxas")
for name in ("ATTN_PTXAS", "CUDA_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
