#!/usr/bin/env bash
# Checks reports and sitemaps in a real Chromium.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/report.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
need git "apt-get install git"

# A JSON Schema validator, from PyPI.
venv=$tools/jsonschema-4.26.0
[ -x "$venv/bin/python" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet jsonschema==4.26.0 >&2; } ||
    die "cannot install jsonschema"

get_node
get_browser

"$venv/bin/python" -B "$top/tests/slow/report.py" "$waypost" "$top/tests/edge-site" "$node" "$browser_modules"
