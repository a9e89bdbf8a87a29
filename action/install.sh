#!/usr/bin/env bash
# Installs `waypost` for the following steps. Without a version, WAYPOST_BIN or waypost on PATH is
# used if present; otherwise the archive of a release is downloaded and verified against its
# checksum. If the release has no archive for this platform (404), the crate is built. Any other
# error ends the step, because a build would only hide it.
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
[[ $version =~ ^[0-9A-Za-z.+-]*$ ]] || fail "the input \`version\` is not a version"

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

# Downloads and unpacks the release. Fails if there is no archive; ends the step on other errors.
fetch_release() {
    local releases=${GITHUB_SERVER_URL:-https://github.com}/${ACTION_REPOSITORY:-}/releases
    local archive=waypost-$target.tar.gz from=$releases/latest/download
    [ -z "$version" ] || from=$releases/download/v$version
    [ -n "${ACTION_REPOSITORY:-}" ] && [ -n "$target" ] || return 1
    fetch "$from/$archive" || return 1
    fetch "$from/$archive.sha256" || fail "$archive has no checksum"
    (cd "$folder" && check_sum "$archive.sha256") || fail "$archive has a wrong checksum"
    tar -xzf "$folder/$archive" -C "$folder" || fail "cannot unpack $archive"
}

# Downloads a file. Fails if it does not exist.
fetch() {
    local status
    status=$(curl --silent --show-error --location --retry 3 --output "$folder/${1##*/}" --write-out '%{http_code}' "$1") ||
        fail "cannot download $1"
    case $status in
    200) ;;
    404) return 1 ;;
    *) fail "cannot download $1: HTTP status $status" ;;
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
    echo "no prebuilt waypost ${version:-} for this platform; building the crate"
    cargo install waypost --locked --root "$folder" ${version:+--version "$version"}
    mv "$folder"/bin/waypost* "$folder"
fi
echo "$folder" >>"$GITHUB_PATH"
# The requested version takes precedence over an earlier WAYPOST_BIN.
[ -z "${WAYPOST_BIN:-}" ] || echo "WAYPOST_BIN=$folder/waypost" >>"$GITHUB_ENV"
