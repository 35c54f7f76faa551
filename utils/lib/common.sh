# Shared by the scripts of utils/: places, messages, and the two steps that each
# of them begins with. Source it; it defines functions and changes nothing.

set -euo pipefail

attn_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
attn_build=${ATTN_BUILD_DIR:-$attn_root/build}

# Progress goes to standard error: standard output belongs to the results.
say() { printf '== %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

source "$attn_root/utils/lib/install.sh"
source "$attn_root/utils/lib/build.sh"
