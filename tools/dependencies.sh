# The Debian and Ubuntu packages Warploom is built and tested with. Sourced by ./quickstart and ./check.

packages=(
  # what it is built with
  cmake ninja-build ccache gcc g++ clang-19 lld-19 git ca-certificates
  # what it is built from
  libclang-19-dev llvm-19-dev libisl-dev libgmp-dev libz3-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  libomp-19-dev libtbb-dev liblua5.4-dev libboost-context-dev libdw-dev libelf-dev libpugixml-dev libsqlite3-dev zlib1g-dev libzstd-dev
  # what its linear algebra runs on without a GPU
  libopenblas-dev
  # what it is tested with
  libgtest-dev libgmock-dev libclang-rt-19-dev llvm-19 llvm-19-tools clang-tidy-19 clang-format-19 python3
  csmith libcsmith-dev make pkg-config dpkg-dev file gtkwave graphviz
)

# The packages of the list that are not installed.
missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || echo "$package"
  done
}

# Runs `apt-get "$@"`, waiting for at most five minutes while another program holds apt's locks.
apt_get() {
  local attempt
  for attempt in {1..10}; do
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" && return
    echo "apt-get $1 did not succeed (attempt $attempt of 10)." >&2
    ((attempt < 10)) && sleep 5
  done
  return 1
}

# Installs what is missing, and calls apt-get only then. Without the right to, says the one command to run, and exits.
install_dependencies() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "Warploom is set up with apt on Debian 12 or Ubuntu 24.04; this system has none. It needs:" >&2
    echo "  ${packages[*]}" >&2
    exit 1
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  if ((EUID == 0)); then
    as_root=()
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
    as_root=(sudo)
  else
    echo "These packages are missing, and only root can install them. Run this once, then try again:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "Installing ${missing[*]}"
  apt_get -qq update
  apt_get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
}

# Where nvcc is; fails when there is none.
find_nvcc() {
  command -v nvcc || { [[ -x /usr/local/cuda/bin/nvcc ]] && echo /usr/local/cuda/bin/nvcc; }
}

# True when a CUDA device can be used.
has_gpu() {
  command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}
