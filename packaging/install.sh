#!/bin/sh
# Installs waypost from an archive of its release, after verifying the archive's checksum.
#
# usage: install.sh [--version VERSION] [--to DIR] [--from URL]
#
# VERSION is the release of this script by default, and DIR is ~/.local/bin. Completions go to
# DIR/../share if DIR ends in `bin`. URL is a directory with the archives, such as a
# mirror, instead of the release's own.
set -eu

repository=https://github.com/OWNER/waypost
owner=${repository#https://github.com/} owner=${owner%%/*}
version=0.1.0
to=${HOME:-}/.local/bin
from=

fail() {
    echo "error: $*" >&2
    exit 1
}

# The functions run last, so a download that breaks off runs nothing.
main() {
    while [ $# -gt 0 ]; do
        case $1 in
        --version) version=${2:?"--version needs a version, such as 1.2.3"} ;;
        --to) to=${2:?"--to needs a directory"} ;;
        --from) from=${2:?"--from needs the URL of a directory"} ;;
        *) fail "unknown argument \`$1\`; usage: install.sh [--version VERSION] [--to DIR] [--from URL]" ;;
        esac
        shift 2
    done
    version=${version#v}
    [ -n "$from" ] || [ "$owner" != OWNER ] || fail "there is no release yet; use \`cargo install --path . --locked\` in a checkout"
    archive=waypost-$(target).tar.gz
    [ -n "$from" ] || from=$repository/releases/download/v$version
    from=${from%/}
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    download "$from/$archive" "$work/$archive"
    download "$from/$archive.sha256" "$work/$archive.sha256"
    verify "$work/$archive"
    mkdir "$work/files"
    tar -xzf "$work/$archive" -C "$work/files" || fail "cannot unpack $archive"
    install_files "$work/files"
}

# The target of the archive for this machine.
target() {
    system=$(uname -s) machine=$(uname -m)
    case $system-$machine in
    Linux-x86_64 | Linux-amd64) echo x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-musl ;;
    Darwin-x86_64) echo x86_64-apple-darwin ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    MINGW*-x86_64 | MSYS*-x86_64) fail "on Windows, use the package of npm or PyPI, or the archive" ;;
    *) fail "no release for $system on $machine; with Rust, use \`cargo install --path . --locked\` in a checkout" ;;
    esac
}

# download URL FILE
download() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --retry 3 --output "$2" "$1" || fail "cannot download $1"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$1" || fail "cannot download $1"
    else
        fail "neither curl nor wget is installed"
    fi
}

# Compares the sums alone: a checksum file may name another archive.
verify() {
    if command -v sha256sum >/dev/null; then
        actual=$(sha256sum <"$1")
    elif command -v shasum >/dev/null; then
        actual=$(shasum -a 256 <"$1")
    else
        fail "neither sha256sum nor shasum is installed"
    fi
    read -r expected _ <"$1.sha256" || [ -n "$expected" ]
    [ "$expected" = "${actual%% *}" ] || fail "${1##*/} has a wrong checksum"
}

install_files() {
    mkdir -p "$to"
    # A running program cannot be overwritten, but replaced.
    cp "$1/waypost" "$to/.waypost.new"
    chmod 755 "$to/.waypost.new"
    mv -f "$to/.waypost.new" "$to/waypost"
    case $to in
    */bin)
        share=${to%/bin}/share
        mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" \
            "$share/fish/vendor_completions.d"
        cp "$1/completions/waypost.bash" "$share/bash-completion/completions/waypost"
        cp "$1/completions/_waypost" "$share/zsh/site-functions"
        cp "$1/completions/waypost.fish" "$share/fish/vendor_completions.d"
        ;;
    esac
    echo "installed $("$to/waypost" -V) in $to"
    case :$PATH: in
    *:"$to":*) ;;
    *) echo "note: $to is not in PATH" ;;
    esac
}

main "$@"
