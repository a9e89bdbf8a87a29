#!/usr/bin/env bash
# Builds a site with the real Hugo and git dates; hugo_dates.py compares them with those of waypost.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/hugo_dates.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
need git "apt-get install git"
get_hugo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -B "$top/tests/slow/txtar.py" unpack "$top/tests/generators/hugo.txtar" "$work/site"
rm -rf "$work/site/public"
python3 -B "$top/tests/slow/hugo_dates.py" "$waypost" "$hugo" "$work/site"
