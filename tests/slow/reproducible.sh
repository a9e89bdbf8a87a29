#!/usr/bin/env bash
# Builds the program twice from nothing, as two machines would that have nothing in common but the toolchain and the
# commit, and compares the bytes. Takes some ten minutes, and is no part of tests/slow/run.
#
# usage: tests/slow/reproducible.sh
#
# What differs: the folder, the home folder and that of the crates (downloaded by each), name and host of the user, clock,
# time zone, language, rights of new files, and how many jobs run at once. The last line is 'N passed, M failed'.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds in a folder of the user's home: USER HOST FOLDER JOBS UMASK [VARIABLE=VALUE]...
build() {
    local user=$1 host=$2 folder=$work/$1/$3 jobs=$4 mask=$5
    shift 5
    mkdir -p "$folder"
    git -C "$top" archive HEAD | tar -x -C "$folder"
    # shellcheck disable=SC2016 # expanded by the shell that is started
    env -i PATH="$PATH" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" HOME="$work/$user" USER="$user" LOGNAME="$user" "$@" \
        unshare --map-root-user --uts sh -c 'hostname "$1" && umask "$2" && exec "$3/.ci/release" --jobs "$4"' \
        sh "$host" "$mask" "$folder" "$jobs"
    (cd "$folder/target/release" && wc -c waypost && sha256sum waypost) | tee "$work/$user.sum"
}

build one here waypost 2 022 TZ=UTC LC_ALL=C
build another there.example.net "deep/er/my tools" 1 077 TZ=Pacific/Kiritimati LC_ALL=de_DE.UTF-8 CARGO_HOME="$work/my crates"
if cmp "$work/one.sum" "$work/another.sum"; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
