#!/usr/bin/env bash
# Gets large sets of HTML that Debian packages into .cache/corpora: the manuals of Rust, Python, git and Java.
#
# usage: tests/slow/corpora.sh
#
# Prints a line for each: its name, the folder that its index.html stands in, and how many pages are below it.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need apt-get "these packages are Debian's"
need dpkg-deb "apt-get install dpkg"
corpora=$top/.cache/corpora

# Downloads and unpacks a package, without installing it.
unpack() {
    local package=$1 root=$corpora/$1
    [ ! -e "$root/complete" ] || return 0
    rm -rf "$root"
    mkdir -p "$root/package"
    (cd "$root" && apt-get download "$package") >"$root/log" 2>&1 || {
        cat "$root/log" >&2
        die "\`$package\` could not be downloaded; is \`apt-get update\` due?"
    }
    dpkg-deb -x "$root/$package"_*.deb "$root/package"
    rm "$root/$package"_*.deb
    touch "$root/complete"
}

describe() {
    printf '%s\t%s\t%s\n' "$1" "$2" "$(find "$2" -name '*.html' | wc -l)"
}

# The package that Debian's python3-doc depends on has the version in its name.
python_doc=$(apt-cache depends python3-doc | sed -n 's/.*Depends: \(python3\.[0-9]*-doc\)$/\1/p' | head -n 1)
[ -n "$python_doc" ] || die "no python3-doc is known; is \`apt-get update\` due?"

for package in git-doc "$python_doc" rust-doc openjdk-17-doc; do
    unpack "$package"
done
describe git-doc "$corpora/git-doc/package/usr/share/doc/git-doc"
describe python3-doc "$corpora/$python_doc/package/usr/share/doc/${python_doc%-doc}/html"
describe openjdk-doc "$corpora/openjdk-17-doc/package/usr/share/doc/openjdk-17-jre-headless/api"
describe rust-doc "$corpora/rust-doc/package/usr/share/doc/rust-doc/html"
