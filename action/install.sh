#!/usr/bin/env bash
# Makes `waypost` ready for the steps that follow. Without a version, WAYPOST_BIN or the program on PATH will do; else the
# archive of a release is fetched and held against its checksum. Where the release has none for this platform (404), the
# crate is built; any other trouble ends the step, since a build would only hide it.
set -euo pipefail

fail() {
    echo "::error title=waypost::$1"
    exit 2
}

version=${INPUT_VERSION:-}
version=${version#v}
if [ -z "$version" ] && { [ -n "${WAYPOST_BIN:-}" ] || command -v waypost >/dev/null; }; then
    exit 0
fi
[[ $version =~ ^[0-9A-Za-z.+-]*$ ]] || fail "the input \`version\` is no version"

case $(uname -s)-$(uname -m) in
Linux-x86_64) target=x86_64-unknown-linux-musl ;;
Linux-aarch64) target=aarch64-unknown-linux-musl ;;
Darwin-x86_64) target=x86_64-apple-darwin ;;
Darwin-arm64) target=aarch64-apple-darwin ;;
MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc ;;
*) target= ;;
esac

folder=${RUNNER_TEMP:-$(mktemp -d)}/waypost
mkdir -p "$folder"

# Fetches and unpacks the release; fails where there is no such file, and ends the step where it cannot be had.
fetch_release() {
    local releases=${GITHUB_SERVER_URL:-https://github.com}/${ACTION_REPOSITORY:-}/releases archive=waypost-$target.tar.gz
    local from=$releases/latest/download
    [ -z "$version" ] || from=$releases/download/v$version
    [ -n "${ACTION_REPOSITORY:-}" ] && [ -n "$target" ] || return 1
    fetch "$from/$archive" || return 1
    fetch "$from/$archive.sha256" || fail "$archive has no checksum"
    (cd "$folder" && check_sum "$archive.sha256") || fail "$archive has a wrong checksum"
    tar -xzf "$folder/$archive" -C "$folder" || fail "$archive cannot be unpacked"
}

# Fetches a file; fails where there is none.
fetch() {
    local status
    status=$(curl --silent --show-error --location --retry 3 --output "$folder/${1##*/}" --write-out '%{http_code}' "$1") ||
        fail "$1 cannot be fetched"
    case $status in
    200) ;;
    404) return 1 ;;
    *) fail "$1 cannot be fetched: HTTP status $status" ;;
    esac
}

check_sum() {
    if command -v sha256sum >/dev/null; then
        sha256sum --check --quiet "$1"
    else
        shasum --algorithm 256 --check --quiet "$1"
    fi
}

if ! fetch_release; then
    echo "there is no archive of waypost ${version:-} for this platform, so it is built from its crate"
    cargo install waypost --locked --root "$folder" ${version:+--version "$version"}
    mv "$folder"/bin/waypost* "$folder"
fi
echo "$folder" >>"$GITHUB_PATH"
# The program that was asked for is run, whatever WAYPOST_BIN named before.
[ -z "${WAYPOST_BIN:-}" ] || echo "WAYPOST_BIN=$folder/waypost" >>"$GITHUB_ENV"
