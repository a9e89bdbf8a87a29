#!/usr/bin/env bash
# Builds the program twice from scratch, in two different environments, and compares the bytes.
# Takes about ten minutes; not part of tests/slow/run.
#
# usage: tests/slow/reproducible.sh
#
# The builds share only the commit, the kernel, the toolchain directory, the linker and the user id
# (root in a user namespace). One builds an archive of the commit and the other a clone, and both must
# name the commit. They differ in: directory, home directory, crate directory (downloaded
# for each), user and host name, time, time zone, locale, umask, and number of jobs. Both name the
# target, as releases do, because cargo writes different bytes without it. The last line is
# 'N passed, M failed'.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED $*"
    echo "0 passed, 1 failed"
    exit 1
}

# Builds in a directory of the user's home: USER HOST DIR JOBS UMASK [VARIABLE=VALUE]...
build() (
    user=$1 host=$2 folder=$work/$1/$3 jobs=$4
    umask "$5"
    shift 5
    mkdir -p "$folder" || exit
    # As root, tar would restore the permissions in the archive.
    if [ "$user" = one ]; then
        git -C "$top" archive "$commit" | tar -x --no-same-permissions -C "$folder" || exit
    else
        git clone --quiet --no-checkout "$top" "$folder" || exit
        git -C "$folder" checkout --quiet "$commit" || exit
    fi
    # shellcheck disable=SC2016 # expanded by the inner shell
    env -i PATH="$PATH" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" \
        HOME="$work/$user" USER="$user" LOGNAME="$user" "$@" \
        unshare --map-root-user --uts sh -c 'hostname "$1" && exec "$2/.ci/release" --target "$3" --jobs "$4"' \
        sh "$host" "$folder" "$target" "$jobs" || exit
    cd "$folder/target/$target/dist" || exit
    ./waypost --version | grep -x "commit: $commit" || exit
    { wc -c waypost && sha256sum waypost; } | tee "$work/$user.sum"
)

[ -d "$work" ] || fail "cannot create a temporary directory"
target=$(rustc -vV | sed -n 's/^host: //p') || fail "cannot run \`rustc\`"
commit=$(git -C "$top" rev-parse HEAD) || fail "no commit to build"
echo "commit $commit"
unshare --map-root-user --uts true || fail "\`unshare\` cannot set a separate host name on this machine"
build one here waypost 2 022 TZ=UTC LC_ALL=C || fail "the first build"
build another there.example.net "deep/er/my tools" 1 077 TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 \
    CARGO_HOME="$work/my crates" || fail "the second build"
cmp "$work/one.sum" "$work/another.sum" || fail "the two programs differ"
echo "1 passed, 0 failed"
