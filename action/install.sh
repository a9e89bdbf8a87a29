#!/usr/bin/env bash
# Makes `waypost` ready for the steps that follow. Without a version, WAYPOST_BIN or the program on PATH will do; else the
# archive of a release is fetched and held against its checksum, and where there is none for this platform, the crate is
# built.
set -euo pipefail

version=${INPUT_VERSION:-}
version=${version#v}
if [ -z "$version" ] && { [ -n "${WAYPOST_BIN:-}" ] || command -v waypost >/dev/null; }; then
    exit 0
fi
if ! [[ $version =~ ^[0-9A-Za-z.+-]*$ ]]; then
    echo "::error title=waypost::the input \`version\` is no version"
    exit 2
fi

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

# Fetches and unpacks the release; fails where there is no such file.
fetch_release() {
    local releases=${GITHUB_SERVER_URL:-https://github.com}/${ACTION_REPOSITORY:-}/releases archive=waypost-$target.tar.gz
    local from=$releases/latest/download
    [ -z "$version" ] || from=$releases/download/v$version
    [ -n "${ACTION_REPOSITORY:-}" ] && [ -n "$target" ] || return 1
    curl --fail --silent --show-error --location --retry 3 --output-dir "$folder" --remote-name-all \
        "$from/$archive" "$from/$archive.sha256" || return 1
    # A wrong checksum is no reason to try another way: it ends the step.
    (cd "$folder" && check_sum "$archive.sha256") || { echo "::error title=waypost::$archive has a wrong checksum" && exit 2; }
    tar -xzf "$folder/$archive" -C "$folder"
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
