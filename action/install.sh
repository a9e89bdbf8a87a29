#!/usr/bin/env bash
# Installs `waypost` for the following steps. Without a version, WAYPOST_BIN or waypost on PATH is
# used if present, and otherwise the release that the action itself is from. The archive of the
# release is verified against its checksum, and against its provenance where `gh` exists. Only a
# platform without archives gets the program by building the crate.
set -euo pipefail

fail() {
    echo "::error title=waypost::$1"
    exit 2
}

# The version in the files of the action: a tag or commit that pins the action also pins the program.
own_version() {
    sed -n 's/^version = "\(.*\)"/\1/p' "${GITHUB_ACTION_PATH:-.}/Cargo.toml" | head -n 1
}

version=${INPUT_VERSION:-}
version=${version#v}
if [ -z "$version" ]; then
    if [ -n "${WAYPOST_BIN:-}" ] || command -v waypost >/dev/null; then
        exit 0
    fi
    version=$(own_version)
fi
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$ ]] ||
    fail "the input \`version\` is not the version of a release, such as 1.2.3"

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
server=${GITHUB_SERVER_URL:-https://github.com}
repository=${ACTION_REPOSITORY:-}

fetch_release() {
    local archive=waypost-$target.tar.gz from=$server/$repository/releases/download/v$version
    command -v curl >/dev/null || fail "curl is not installed, which downloads the release"
    fetch "$from/$archive"
    fetch "$from/$archive.sha256"
    # GNU tar takes `D:` in a path of Windows for the name of a host, so all names are relative.
    (cd "$folder" && check_sum "$archive") || fail "$archive has a wrong checksum"
    (cd "$folder" && check_provenance "$archive") || fail "the provenance of $archive cannot be verified"
    (cd "$folder" && tar -xzf "$archive") || fail "cannot unpack $archive"
}

# Downloads a file.
fetch() {
    local status
    status=$(curl --silent --show-error --location --retry 3 --output "$folder/${1##*/}" --write-out '%{http_code}' "$1") ||
        fail "cannot download $1"
    case $status in
    200) ;;
    404) fail "release $version has no file ${1##*/}; the input \`version\` selects another release" ;;
    *) fail "cannot download $1: HTTP status $status" ;;
    esac
}

# Compares the sums alone: a checksum file may name another archive.
check_sum() {
    local expected actual
    read -r expected _ <"$1.sha256"
    if command -v sha256sum >/dev/null; then
        actual=$(sha256sum <"$1")
    else
        actual=$(shasum --algorithm 256 <"$1")
    fi
    [ -n "$expected" ] && [ "$expected" = "${actual%% *}" ]
}

# Verifies that a workflow of the repository has built the archive. Runners of GitHub have `gh`.
check_provenance() {
    if ! command -v gh >/dev/null || [ -z "${GH_TOKEN:-}" ]; then
        echo "the provenance of $1 is not verified, because gh or its token is missing"
        return
    fi
    GH_HOST=${server#*://} gh attestation verify "$1" --repo "$repository"
}

if [ -n "$repository" ] && [ -n "$target" ]; then
    fetch_release
else
    echo "no prebuilt waypost for this platform; building the crate"
    command -v cargo >/dev/null || fail "there is no release for this platform, and cargo is not installed"
    cargo install waypost --locked --root "$folder" --version "$version"
    mv "$folder"/bin/waypost* "$folder"
fi
echo "$folder" >>"$GITHUB_PATH"
# The installed version takes precedence over an earlier WAYPOST_BIN.
[ -z "${WAYPOST_BIN:-}" ] || echo "WAYPOST_BIN=$folder/waypost" >>"$GITHUB_ENV"
