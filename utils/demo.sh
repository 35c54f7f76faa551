#!/bin/bash
# demo.sh [EXAMPLE...]: sets everything up and runs the programs in examples/.
#
# Installs what is missing and builds (see check.sh), then compiles each program,
# runs it on this machine's CPU and checks it against attention by definition in
# f64. Each prints what was chosen, how many key tiles it visited, its error
# beside the bound, and its time. Arguments name examples: llama3_8b_prefill.

source "$(dirname "$0")/lib/common.sh"

install_missing
configure -DATTN_ENABLE_WERROR=ON # as check.sh, so that neither undoes the other's
build attn-run

examples=("$@")
if [ $# = 0 ]; then
  for file in "$attn_root"/examples/*.mlir; do
    name=$(basename "$file" .mlir)
    examples+=("$name")
  done
fi

failed=()
for name in "${examples[@]}"; do
  file=$attn_root/examples/$name.mlir
  [ -f "$file" ] || die "no such example: $name (there are: $(cd "$attn_root/examples" && echo *.mlir))"
  # Each program says in its head how it is run: "//   attn-run FILE OPTIONS".
  options=$(sed -n "s|^// *attn-run $name.mlir *||p" "$file" | head -n 1)
  [ -n "$options" ] || die "examples/$name.mlir does not say how it is run"
  printf '\n'
  say "attn-run examples/$name.mlir $options"
  # shellcheck disable=SC2086 # the options are words
  "$attn_build/bin/attn-run" "$file" $options || failed+=("$name")
done

printf '\n'
[ "${#failed[@]}" = 0 ] || die "not within its bound, or not run: ${failed[*]}"
printf '%d programs compiled, run and checked\n' "${#examples[@]}"
