#!/usr/bin/env bash
# Builds a site with the real Hugo and git dates, and has hugo_dates.py hold those of waypost against them.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/hugo_dates.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "there is no \`$waypost\`: build it first, or set WAYPOST"
need git "apt-get install git"
get_hugo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$top/tests/generators/hugo" "$work/site"
rm -rf "$work/site/public"
python3 -B "$top/tests/slow/hugo_dates.py" "$waypost" "$hugo" "$work/site"
