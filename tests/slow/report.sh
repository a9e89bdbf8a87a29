#!/usr/bin/env bash
# Checks reports and sitemaps in a real Chromium, and SARIF logs against the official schema.
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

# The SARIF schema of OASIS, from the crate serde-sarif.
schemas=$tools/serde-sarif-0.8.0
if [ ! -f "$schemas/vendor/serde-sarif/src/schema.json" ]; then
    mkdir -p "$schemas/src"
    printf '[package]\nname = "schemas"\nversion = "0.0.0"\n[workspace]\n[dependencies]\nserde-sarif = "=0.8.0"\n' \
        >"$schemas/Cargo.toml"
    touch "$schemas/src/lib.rs"
    (cd "$schemas" && cargo vendor --quiet vendor >/dev/null) || die "cannot download the SARIF schema"
fi

get_node
get_browser

"$venv/bin/python" -B "$top/tests/slow/report.py" "$waypost" "$top/tests/edge-site" \
    "$schemas/vendor/serde-sarif/src/schema.json" "$node" "$browser_modules"
