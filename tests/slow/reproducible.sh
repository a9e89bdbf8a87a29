#!/usr/bin/env bash
# Builds the program twice from nothing, as two machines would that have nothing in common but the commit, the kernel,
# the toolchain's folder and the linker, and compares the bytes. Takes some ten minutes; is no part of tests/slow/run.
#
# usage: tests/slow/reproducible.sh
#
# What differs: the folder, the home folder and that of the crates (downloaded by each), the names of user and host, the
# time, time zone, locale, rights of new files, and how many jobs run at once. The user's id is the same: root's, in a
# namespace of its own. Both are built for a target that is named, as releases are: cargo makes other bytes without. The
# last line is 'N passed, M failed'.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED $*"
    echo "0 passed, 1 failed"
    exit 1
}

# Builds in a folder of the user's home: USER HOST FOLDER JOBS UMASK [VARIABLE=VALUE]...
build() (
    user=$1 host=$2 folder=$work/$1/$3 jobs=$4
    umask "$5"
    shift 5
    mkdir -p "$folder" || exit
    # Root's tar would give the files the rights that the archive names.
    git -C "$top" archive "$commit" | tar -x --no-same-permissions -C "$folder" || exit
    # shellcheck disable=SC2016 # expanded by the shell that is started
    env -i PATH="$PATH" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" \
        HOME="$work/$user" USER="$user" LOGNAME="$user" "$@" \
        unshare --map-root-user --uts sh -c 'hostname "$1" && exec "$2/.ci/release" --target "$3" --jobs "$4"' \
        sh "$host" "$folder" "$target" "$jobs" || exit
    cd "$folder/target/$target/release" || exit
    { wc -c waypost && sha256sum waypost; } | tee "$work/$user.sum"
)

[ -d "$work" ] || fail "there is no room for the builds"
target=$(rustc -vV | sed -n 's/^host: //p') || fail "\`rustc\` does not run"
commit=$(git -C "$top" rev-parse HEAD) || fail "there is no commit to build"
echo "commit $commit"
unshare --map-root-user --uts true || fail "\`unshare\` may not give a build a host name of its own here"
build one here waypost 2 022 TZ=UTC LC_ALL=C || fail "the first build"
build another there.example.net "deep/er/my tools" 1 077 TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 \
    CARGO_HOME="$work/my crates" || fail "the second build"
cmp "$work/one.sum" "$work/another.sum" || fail "the two programs differ"
echo "1 passed, 0 failed"
