#!/bin/bash
# opt-through-bytecode.sh TOOL ARGS...: TOOL's output, written as byte code and
# read again. Standard error and the exit code stay TOOL's own.
set -o pipefail
tool=$1
shift
"$tool" "$@" --emit-bytecode | "$tool" --allow-unregistered-dialect
