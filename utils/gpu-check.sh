#!/bin/bash
# gpu-check.sh ARTIFACTS [--build=BUILD] [--seed=N]: checks the GPU code on a machine
# with a GPU of compute capability 9.0, g++ and PyTorch. Needs no LLVM: ARTIFACTS is
# what was compiled elsewhere.
#
#   ARTIFACTS/*.so, index.json   benchmarks/gpu/compile.py ARTIFACTS
#   ARTIFACTS/kernels            python3 test/Integration/GPU/kernels.py ARTIFACTS/kernels
#                                test/Integration/GPU/compile_kernels.py ARTIFACTS/kernels
#                                  --attn-opt=build/bin/attn-opt
#
# With --build both are made first, by that build's tools. Runs the runtime's test on
# the device; each kernel of ARTIFACTS/kernels, if it is there; compiled attention
# against f64; and compute-sanitizer's memcheck and racecheck on small cases where
# that is installed. Ends with 'N passed, N failed'; exits with 77 without a GPU.

source "$(dirname "$0")/lib/common.sh"

case ${1-} in
-h | --help)
  sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
  exit
  ;;
esac

artifacts='' build='' seed=1
for argument in "$@"; do
  case $argument in
  --build=*) build=${argument#*=} ;;
  --seed=*) seed=${argument#*=} ;;
  -*) die "gpu-check.sh does not know: $argument" ;;
  *) artifacts=$argument ;;
  esac
done
[ -n "$artifacts" ] || die "gpu-check.sh wants the folder of what was compiled"

skip() {
  say "skipped: $1"
  exit 77
}
python=${PYTHON:-python3}
command -v "${CXX:-g++}" >/dev/null || skip "no C++ compiler"
"$python" -c 'import torch' 2>/dev/null || skip "no PyTorch"
"$python" -c 'import sys, torch
sys.exit(not torch.cuda.is_available() or torch.cuda.get_device_capability() != (9, 0))' ||
  skip "no GPU of compute capability 9.0"

gpu_tests=$attn_root/test/Integration/GPU
if [ -n "$build" ]; then
  say "compiling"
  "$python" "$attn_root/benchmarks/gpu/compile.py" "$artifacts" "--build=$build"
  "$python" "$gpu_tests/kernels.py" "$artifacts/kernels"
  "$python" "$gpu_tests/compile_kernels.py" "$artifacts/kernels" "--attn-opt=$build/bin/attn-opt"
fi
[ -f "$artifacts/index.json" ] || die "no index.json in $artifacts: run benchmarks/gpu/compile.py $artifacts"

passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# step NAME COMMAND...: its own closing line counts, else its exit status. A command
# that fails without saying that something failed counts as one failure more.
step() {
  local name=$1 status=0 line
  shift
  say "$name"
  "$@" 2>&1 | tee "$scratch/log" || status=${PIPESTATUS[0]}
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$scratch/log" | tail -n 1 || true)
  if [ -n "$line" ]; then
    local p f
    read -r p _ f _ <<<"${line/,/}"
    passed=$((passed + p))
    failed=$((failed + f))
    [ "$status" = 0 ] || [ "$f" != 0 ] || failed=$((failed + 1))
  elif [ "$status" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED %s: exit status %s\n' "$name" "$status"
  fi
}

cd "$attn_root"
if "${CXX:-g++}" -std=c++17 -O2 -Iinclude -Ilib/Runtime lib/Runtime/*.cpp lib/Runtime/Cuda/*.cpp \
  test/Unit/Runtime/Cuda/DeviceTest.cpp -lpthread -ldl -o "$scratch/device_test"; then
  step "runtime on the device" "$scratch/device_test"
else
  failed=$((failed + 1))
  printf 'FAILED runtime on the device: does not compile\n'
fi
if [ -d "$artifacts/kernels" ]; then
  step "kernels" "$python" "$gpu_tests/check_kernels.py" "$artifacts/kernels"
else
  say "no $artifacts/kernels: kernels one by one are not checked"
fi
step "attention" "$python" "$gpu_tests/check_attention.py" "$artifacts" "--seed=$seed"

sanitizer=$(command -v compute-sanitizer || true)
[ -n "$sanitizer" ] || { [ ! -x /usr/local/cuda/bin/compute-sanitizer ] || sanitizer=/usr/local/cuda/bin/compute-sanitizer; }
if [ -n "$sanitizer" ]; then
  # Of one type: the other differs in the names of instructions only, and racecheck
  # takes a minute for each function. Several functions at once.
  sanitize() {
    local name log=$scratch/$1
    mkdir -p "$log"
    "$python" -c 'import json, sys
for f in json.load(open(sys.argv[1])): f["type"] == "bf16" and print(f["name"])' "$artifacts/index.json" |
      xargs -P 6 -I{} sh -c '"$@" --only={} >"$0/{}" 2>&1 || echo "0 passed, 1 failed" >>"$0/{}"' "$log" \
        "$sanitizer" "--tool=$1" --error-exitcode=1 "$python" "$gpu_tests/check_attention.py" \
        "$artifacts" "--seed=$seed" --small
    for name in "$log"/*; do
      printf '%s: ' "${name##*/}"
      grep -E 'SUMMARY|^FAILED|passed, ' "$name" | tr '\n' ' '
      echo
    done
    cat "$log"/* | awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 }
      END { printf "%d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
  }
  for tool in memcheck racecheck; do
    step "$tool" sanitize "$tool"
  done
else
  say "no compute-sanitizer: neither memcheck nor racecheck"
fi

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
