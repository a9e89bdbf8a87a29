#!/usr/bin/env bash
# Compares `waypost check` with the official schemas: that of `<urlset>` from the npm package `sitemap`, those of
# indexes and images, which no package has, as tests/schemas has them. SITEMAP_SCHEMAS names a directory with
# all three.
#
# usage: [SITEMAP_SCHEMAS=DIR] tests/slow/schemas.sh [COUNT] [SEED]
set -euo pipefail
. "$(dirname "$0")/tools.sh"
need xmllint "apt-get install libxml2-utils"
if [ -z "${SITEMAP_SCHEMAS:-}" ]; then
    get_packages sitemap-9.0.1 sitemap@9.0.1
    SITEMAP_SCHEMAS=$tools/sitemap-schemas
    mkdir -p "$SITEMAP_SCHEMAS"
    cp "$tools/sitemap-9.0.1/node_modules/sitemap/schema/sitemap.xsd" "$top/tests/schemas/siteindex.xsd" "$SITEMAP_SCHEMAS"
    cp "$top/tests/schemas/image.xsd" "$SITEMAP_SCHEMAS/sitemap-image.xsd"
fi
export SITEMAP_SCHEMAS
exec python3 "$top/tests/slow/schemas.py" "$@"
