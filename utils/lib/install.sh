# Installs what a build needs and the machine lacks: Debian's packages, or with
# MLIR_DIR set, everything but LLVM, which then comes from there.

attn_packages_tools=(cmake ninja-build ccache python3 nlohmann-json3-dev libgtest-dev)
attn_packages_llvm=(llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools clang-22 lld-22)
attn_packages_lint=(git clang-format-22 clang-tidy-22)

# as_root COMMAND...: directly as root, else through sudo.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "needs root or sudo to run: $*"
  fi
}

# missing_packages NAME...: those that dpkg does not hold as installed.
missing_packages() {
  local installed name
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true) "
  for name in "$@"; do
    [[ $installed == *" installed:$name "* ]] || printf '%s\n' "$name"
  done
}

# apt_knows NAME...: whether the package lists offer every one of them.
apt_knows() {
  local name
  for name in "$@"; do
    apt-cache show --no-all-versions "$name" >/dev/null 2>&1 || return 1
  done
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "$@" >&2
}

# install_missing [lint]: ends with everything in place, or with an error that
# names what is not.
install_missing() {
  local wanted=("${attn_packages_tools[@]}") missing
  [ -n "${MLIR_DIR:-}" ] || wanted+=("${attn_packages_llvm[@]}")
  [ "${1:-}" != lint ] || wanted+=("${attn_packages_lint[@]}")

  if ! command -v apt-get >/dev/null; then
    # Another system: what is there must do, and CMake names what is not.
    [ -n "${MLIR_DIR:-}" ] || [ -d /usr/lib/llvm-22/lib/cmake/mlir ] ||
      die "no apt-get here: install LLVM/MLIR 22.1 and set MLIR_DIR to its lib/cmake/mlir"
    local tool
    for tool in cmake ninja python3; do
      command -v "$tool" >/dev/null || die "no apt-get here: install $tool"
    done
    return
  fi

  mapfile -t missing < <(missing_packages "${wanted[@]}")
  # Without Debian's LLVM there need be no Debian compiler either.
  if [ -n "${MLIR_DIR:-}" ] && ! attn_compiler >/dev/null; then
    missing+=(g++)
  fi
  [ "${#missing[@]}" != 0 ] || return 0
  say "installing ${missing[*]}"
  local updated=no
  if ! apt_knows "${missing[@]}"; then
    as_root apt-get update -q >&2
    updated=yes
    apt_knows "${missing[@]}" ||
      die "this system's packages lack one of: ${missing[*]}; install LLVM/MLIR 22.1 and set MLIR_DIR to its lib/cmake/mlir"
  fi
  # Lists that are merely old name files that are gone: update them, once.
  apt_install "${missing[@]}" || {
    [ "$updated" = no ] || die "apt-get could not install: ${missing[*]}"
    as_root apt-get update -q >&2
    apt_install "${missing[@]}" || die "apt-get could not install: ${missing[*]}"
  }
}
