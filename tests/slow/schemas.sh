#!/usr/bin/env bash
# Compares the strict reader of `waypost check` with the protocol's own schema, from the npm package
# `sitemap`.
#
# usage: tests/slow/schemas.sh [COUNT] [SEED]
set -euo pipefail
. "$(dirname "$0")/tools.sh"
get_packages sitemap-9.0.1 sitemap@9.0.1
export SITEMAP_SCHEMA=$tools/sitemap-9.0.1/node_modules/sitemap/schema/sitemap.xsd
exec python3 "$top/tests/slow/schemas.py" "$@"
