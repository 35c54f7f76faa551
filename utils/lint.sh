#!/bin/bash
# lint.sh [--fast] [--budget SECONDS]: format, file sizes, banners, open ends, and
# clang-tidy. Prints every fault; exits 1 if there is any.
#
# clang-tidy needs a configured and built tree (ATTN_BUILD_DIR, default build). A
# file is not looked at again while it and all that it includes stay as they are.
# --fast leaves clang-tidy out. --budget stops it after that many seconds (default
# 900); what was not reached is said, and is first in turn next time.

source "$(dirname "$0")/lib/common.sh"

fast=no
budget=900
while [ $# -gt 0 ]; do
  case $1 in
  --fast) fast=yes ;;
  --budget)
    budget=${2:?"--budget needs a number of seconds"}
    shift
    ;;
  *) die "lint.sh does not know: $1" ;;
  esac
  shift
done

cd "$attn_root"
faults=0
fault() {
  printf '%s\n' "$*"
  faults=$((faults + 1))
}

# files PATTERN...: what git tracks or would, so that build folders stay out.
files() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ ! -f "$f" ] || printf '%s\n' "$f"; done; }

mapfile -t sources < <(files '*.cpp' '*.h' '*.c')
mapfile -t tablegen < <(files '*.td')
mapfile -t scripts < <(files '*.sh' '.ci/run')
mapfile -t python < <(files '*.py')
mapfile -t tests < <(files '*.mlir')

say "format"
clang-format-22 --dry-run -Werror "${sources[@]}" || fault "clang-format-22 -i the files above"

say "sizes, banners, open ends"
check_size() { # LIMIT FILE...
  local limit=$1 file lines
  shift
  for file in "$@"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le "$limit" ] || fault "$file: $lines lines, more than $limit: split it"
  done
}
check_size 1000 "${sources[@]}" "${scripts[@]}" "${python[@]}" "${tests[@]}"
check_size 800 "${tablegen[@]}"
for file in "${sources[@]}" "${tablegen[@]}"; do
  head -n 6 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' ||
    fault "$file: no licence banner"
done
# An open end says what follows from it: "TODO: ...; until then ...".
while IFS= read -r line; do
  fault "$line"
done < <(grep -nE '\b(TODO|FIXME|XXX)\b' "${sources[@]}" "${tablegen[@]}" |
  grep -vE 'TODO: .*until then' || true)
for file in "${scripts[@]}"; do
  bash -n "$file" || fault "$file: does not parse"
done
for file in "${python[@]}"; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$file" ||
    fault "$file: does not parse"
done

if [ "$fast" = no ]; then
  say "clang-tidy"
  python3 utils/lib/tidy.py --build "$attn_build" --budget "$budget" ||
    fault "clang-tidy-22 found the faults above"
fi

[ "$faults" = 0 ] || die "lint: $faults faults"
