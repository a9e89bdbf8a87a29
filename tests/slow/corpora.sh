#!/usr/bin/env bash
# Downloads large HTML manuals from Debian packages to .cache/corpora: Rust, Python, git and Java.
#
# usage: tests/slow/corpora.sh
#
# A test of page-signals reads them, if WAYPOST_HTML_CORPUS names their directory.
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

# Debian's python3-doc depends on a package whose name contains the version.
python_doc=$(apt-cache depends python3-doc | sed -n 's/.*Depends: \(python3\.[0-9]*-doc\)$/\1/p' | head -n 1)
[ -n "$python_doc" ] || die "cannot find the package \`python3-doc\`; try \`apt-get update\`"

for package in git-doc "$python_doc" rust-doc openjdk-17-doc; do
    unpack "$package"
done
