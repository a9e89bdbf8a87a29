#!/usr/bin/env bash
# Installs `waypost` for the following steps. Without a version, WAYPOST_BIN or waypost on PATH is
# used if present, and otherwise the program that the action itself contains: its release if it is
# that of the repository in Cargo.toml, and else a build of its files, which needs cargo. The archive
# of a release is verified against its checksum, and against its provenance where `gh` exists.
#
# usage: install.sh [--cache-key]
#
# With `--cache-key`, it installs nothing and sets the output `key`, the name of the build in a cache,
# if there is something to build.
set -euo pipefail

fail() {
    echo "::error title=waypost::$1"
    exit 2
}

# A value in the files of the action: a tag or commit that pins the action also pins the program.
own() {
    sed -n "s/^$1 = \"\([^\"]*\)\".*/\1/p" "$top/Cargo.toml" | head -n 1
}

top=${GITHUB_ACTION_PATH:-.}
version=${INPUT_VERSION:-}
version=${version#v}
if [ -z "$version" ] && { [ -n "${WAYPOST_BIN:-}" ] || command -v waypost >/dev/null; }; then
    exit 0
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
server=${GITHUB_SERVER_URL:-https://github.com}
repository=${ACTION_REPOSITORY:-}
home=$(own repository)
home=${home#https://github.com/}
has_releases=true
[ "${home%%/*}" != OWNER ] || has_releases=false # .ci/owner fills in the owner with the first release

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
    404) fail "$repository has no release $version with a file ${1##*/}; the input \`version\` selects another release" ;;
    *) fail "cannot download $1: HTTP status $status" ;;
    esac
}

# Compares the sums alone: a checksum file may name another archive.
check_sum() {
    local expected
    read -r expected _ <"$1.sha256"
    [ -n "$expected" ] && [ "$expected" = "$(sum_of "$1")" ]
}

sum_of() {
    local sum
    if command -v sha256sum >/dev/null; then
        sum=$(sha256sum <"$1")
    else
        sum=$(shasum --algorithm 256 <"$1")
    fi
    echo "${sum%% *}"
}

# Verifies that a workflow of the repository has built the archive. Runners of GitHub have `gh`.
check_provenance() {
    if ! command -v gh >/dev/null || [ -z "${GH_TOKEN:-}" ]; then
        echo "the provenance of $1 is not verified, because gh or its token is missing"
        return
    fi
    GH_HOST=${server#*://} gh attestation verify "$1" --repo "$repository"
}

# Builds the files of the action, unless the cache had the program.
build_own_files() {
    local rust
    if [ -e "$folder/waypost" ] || [ -e "$folder/waypost.exe" ]; then
        echo "waypost, built from the files of the action, is from the cache"
        return
    fi
    rust=$(own rust-version)
    echo "building waypost from the files of the action: $1"
    command -v cargo >/dev/null ||
        fail "$1, so the action builds it, and cargo is not installed: install Rust $rust or newer in a step before this one, or set WAYPOST_BIN to a program"
    # In the files of the action, so that settings of cargo and rustup of the site do not count.
    (cd "$top" && CARGO_TARGET_DIR=$folder/target cargo install --path . --locked --root "$folder") ||
        fail "cannot build waypost, which needs Rust $rust or newer and a C compiler"
    mv "$folder"/bin/waypost* "$folder"
    rm -r "$folder/target"
}

# A name for the build: the system, the compiler and all files that it is made of.
cache_key() {
    local files=$folder.files
    (cd "$top" && find Cargo.toml Cargo.lock build.rs build src crates plugin-manifest.toml docs/src -type f -print0 |
        LC_ALL=C sort -z | xargs -0 cat) >"$files"
    rustc --version >>"$files" || true
    echo "waypost-$(uname -s)-$(uname -m)-$(sum_of "$files")"
}

reason=
if [ -n "$version" ]; then
    "$has_releases" || fail "the input \`version\` selects a release, and there is none yet: without it, the action builds its own files"
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$ ]] ||
        fail "the input \`version\` is not the version of a release, such as 1.2.3"
    repository=${repository:-$home}
    [ -n "$target" ] || fail "releases have no program for this platform: without the input \`version\`, the action builds its own files"
elif ! "$has_releases"; then
    reason="there is no release yet"
elif [ "$repository" != "$home" ]; then
    reason="releases are those of $home"
elif [ -z "$target" ]; then
    reason="releases have no program for this platform"
fi

if [ "${1:-}" = --cache-key ]; then
    [ -z "$reason" ] || echo "key=$(cache_key)" >>"$GITHUB_OUTPUT"
    exit 0
fi
if [ -n "$reason" ]; then
    build_own_files "$reason"
else
    version=${version:-$(own version)}
    fetch_release
fi
echo "$folder" >>"$GITHUB_PATH"
# The installed version takes precedence over an earlier WAYPOST_BIN.
[ -z "${WAYPOST_BIN:-}" ] || echo "WAYPOST_BIN=$folder/waypost" >>"$GITHUB_ENV"
