# shellcheck shell=bash
# Sourced by ./run and ./test: the Debian packages that each of them needs.
# shellcheck disable=SC2034  # The lists are for the scripts that source this file.

packages_build=(g++ cmake ninja-build ccache libglm-dev libhwy-dev libfmt-dev nlohmann-json3-dev
    libcli11-dev libbullet-dev)
packages_test=(libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev relacy-dev locales python3 clang-format-14
    chromium fonts-dejavu-core nodejs)
# Node.js from elsewhere brings npm along, and Debian's package conflicts with it.
if ! command -v npm >/dev/null; then packages_test+=(npm); fi
packages_bench=(libbenchmark-dev)
# What builds the module and the page; the module is linked and made smaller by hand.
packages_web=(emscripten lld-14 binaryen nodejs)
if ! command -v npm >/dev/null; then packages_web+=(npm); fi
packages_full=(clang-14 clang-tidy-14 libclang-rt-14-dev llvm-14 googletest)

# The packages among the arguments that are not installed, one per line.
missing_packages() {
    local package
    for package in "$@"; do
        if [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
            echo "$package"
        fi
    done
}

# ensure_packages <package>...: installs what is missing; returns 1 with a message when that is not possible.
ensure_packages() {
    local missing
    if ! command -v dpkg-query >/dev/null; then
        echo "This is not a Debian system; the names of the packages there: $*" >&2
        return 0
    fi
    mapfile -t missing < <(missing_packages "$@")
    if [[ ${#missing[@]} -eq 0 ]]; then
        return 0
    fi
    if [[ $EUID -ne 0 ]]; then
        echo "These packages are missing. Install them and start again:" >&2
        echo "    sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
        return 1
    fi

    say "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    # An old list of packages is no reason to stop: the installation says what is really missing.
    quiet apt-update apt-get update || true
    if quiet apt-install apt-get install -y --no-install-recommends "${missing[@]}"; then
        return 0
    fi
    mapfile -t missing < <(missing_packages "$@")
    echo "These packages could not be installed: ${missing[*]}" >&2
    return 1
}

# ensure_node_modules <folder>: installs its npm packages, as the lock file says. Returns 1 when that is not possible.
ensure_node_modules() {
    local folder=$1
    # npm writes that file last.
    if [[ $folder/node_modules/.package-lock.json -nt $folder/package-lock.json ]]; then
        return 0
    fi
    say "installing the packages of $folder"
    quiet "npm-ci-${folder//\//-}" npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund
}
