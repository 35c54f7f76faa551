#!/bin/bash
# ablation.sh OUT [ARGUMENT...]: compiles attention with one pass more each time.
#
# Fills OUT/STEP with what benchmarks/gpu/compile.py makes of the kernel passes up to
# that step, for the heads, masks and types that ARGUMENTs choose (handed to compile.py;
# default: bf16, heads of 128, full and causal). Needs no GPU. On a machine with one,
# all steps side by side in one run:
#
#   benchmarks/gpu/attention.py OUT/* --head-dims=128 --json=ablation.json
#   benchmarks/gpu/plot.py ablation.json --out=FOLDER

source "$(dirname "$0")/../../utils/lib/common.sh"

case ${1-} in
-h | --help)
  sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
  exit
  ;;
esac

[ $# -ge 1 ] && [[ $1 != -* ]] || die "ablation.sh wants a folder"
out=$1
shift
[ $# -gt 0 ] || set -- --types=bf16 --head-dims=128 --masks=full,causal

simplify=canonicalize,cse
copies=attn-gpu-async-copy
pipeline=attn-gpu-pipeline,$simplify
stage=attn-gpu-stage-writes
roles=attn-gpu-warp-specialize,$simplify
split=attn-gpu-split-loops,$simplify
work=attn-gpu-schedule-work

# step NAME PASSES ARGUMENT...
step() {
  local name=$1 passes=$2
  shift 2
  say "$name"
  python3 "$attn_root/benchmarks/gpu/compile.py" "$out/$name" "--build=$attn_build" \
    "--option=--kernel-passes=$passes" "$@"
}
# The order of docs/Performance.md. The last step is what is shipped.
step 1-synchronous "$simplify" "$@"
step 2-async-copy "$copies,$simplify" "$@"
step 3-pipeline "$copies,$pipeline" "$@"
step 4-warp-specialize "$copies,$pipeline,$roles" "$@"
step 5-split-loops "$copies,$pipeline,$roles,$split" "$@"
step 6-stage-writes "$copies,$pipeline,$stage,$roles,$split" "$@"
step 7-schedule-work "$work,$copies,$pipeline,$stage,$roles,$split" "$@"
