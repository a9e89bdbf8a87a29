#!/usr/bin/env bash
# Downloads large HTML manuals from Debian packages to .cache/corpora: Rust, Python, git and Java.
#
# usage: tests/slow/corpora.sh
#
# Prints one line per manual: name, directory of its index.html, and number of pages.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need apt-get "the manuals are Debian packages"
need dpkg-deb "apt-get install dpkg"
corpora=$top/.cache/corpora

# Downloads and unpacks a package without installing it.
unpack() {
    local package=$1 root=$corpora/$1
    [ ! -e "$root/complete" ] || return 0
    rm -rf "$root"
    mkdir -p "$root/package"
    (cd "$root" && apt-get download "$package") >"$root/log" 2>&1 || {
        cat "$root/log" >&2
        die "cannot download \`$package\`; try \`apt-get update\`"
    }
    dpkg-deb -x "$root/$package"_*.deb "$root/package"
    rm "$root/$package"_*.deb
    touch "$root/complete"
}

describe() {
    printf '%s\t%s\t%s\n' "$1" "$2" "$(find "$2" -name '*.html' | wc -l)"
}

# Debian's python3-doc depends on a package whose name contains the version.
python_doc=$(apt-cache depends python3-doc | sed -n 's/.*Depends: \(python3\.[0-9]*-doc\)$/\1/p' | head -n 1)
[ -n "$python_doc" ] || die "cannot find the package \`python3-doc\`; try \`apt-get update\`"

for package in git-doc "$python_doc" rust-doc openjdk-17-doc; do
    unpack "$package"
done
describe git-doc "$corpora/git-doc/package/usr/share/doc/git-doc"
describe python3-doc "$corpora/$python_doc/package/usr/share/doc/${python_doc%-doc}/html"
describe openjdk-doc "$corpora/openjdk-17-doc/package/usr/share/doc/openjdk-17-jre-headless/api"
describe rust-doc "$corpora/rust-doc/package/usr/share/doc/rust-doc/html"
