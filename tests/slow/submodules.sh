#!/usr/bin/env bash
# Builds sites whose content is in a submodule with real generators: each page has a new date exactly when its text is new.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/submodules.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
need git "apt-get install git"
get_zola
get_hugo
get_mdbook
python3 -B "$top/tests/slow/submodules.py" "$waypost" "zola=$zola" "hugo=$hugo" "mdbook=$mdbook"
