#!/bin/bash
# check.sh [CTEST ARGS...]: sets everything up, builds, and runs all checks.
#
# Installs what is missing (as root or through sudo on Debian 12; with MLIR_DIR
# set, LLVM 22.1 is taken from there), builds with every warning an error, checks
# format, sizes and banners, and ends with ctest's summary. A second call builds
# only what has changed.

source "$(dirname "$0")/lib/common.sh"

install_missing lint
configure -DATTN_ENABLE_WERROR=ON
build
# Without clang-tidy, which takes a quarter of an hour: utils/lint.sh runs it too.
"$attn_root/utils/lint.sh" --fast
say "testing"
ctest --test-dir "$attn_build" --output-on-failure -j "$(nproc)" "$@"
