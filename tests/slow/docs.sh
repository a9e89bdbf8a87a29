#!/usr/bin/env bash
# Builds the documentation with the real mdBook, checks its sitemap, and runs every command of the guides with the real
# generators.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/docs.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
need git "apt-get install git"
need npm "apt-get install npm"
need python3 "apt-get install python3"

work=$(mktemp -d)
trap 'rm -rf "$work" "$tools"/*/"guide-$$"' EXIT
export WAYPOST=$waypost GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 SOURCE_DATE_EPOCH=1768478400
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE=2025-03-01T10:00:00Z
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com GIT_COMMITTER_DATE=2025-03-01T10:00:00Z

# Puts a program on the search path under the name that the guides use.
provide() {
    local name=$1
    shift
    printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$work/bin/$name"
    chmod +x "$work/bin/$name"
}

mkdir "$work/bin"
export PATH=$work/bin:$PATH
provide waypost "$waypost"
get_zola && provide zola "$zola"
get_hugo && provide hugo "$hugo"
get_mdbook && provide mdbook "$mdbook"
get_mkdocs && provide mkdocs "$mkdocs"
get_sphinx && provide sphinx-build "$sphinx"
get_jekyll
get_node && provide node "$node" # `npm run` finds the packages of a parent directory by itself
get_packages astro-7 astro@7.1.6 @astrojs/starlight@0.41.5 sharp@0.35.3
provide astro "$node" "$tools/astro-7/node_modules/astro/bin/astro.mjs"
get_packages docusaurus-3 @docusaurus/{core,preset-classic}@3.10.2 react@18.3.1 react-dom@18.3.1
provide docusaurus "$node" "$tools/docusaurus-3/node_modules/@docusaurus/core/bin/docusaurus.mjs"
get_packages vitepress-1.6.4 vitepress@1.6.4
provide vitepress "$node" "$tools/vitepress-1.6.4/node_modules/vitepress/bin/vitepress.js"
get_packages eleventy-3.1.2 @11ty/eleventy@3.1.2
provide eleventy "$node" "$tools/eleventy-3.1.2/node_modules/@11ty/eleventy/cmd.cjs"
export ASTRO_TELEMETRY_DISABLED=1 CI=1

# Some generators find their packages only in a parent directory of the site.
python3 -B "$top/tests/slow/docs.py" "$top" "$work" "astro=$tools/astro-7/guide-$$" \
    "docusaurus=$tools/docusaurus-3/guide-$$" "vitepress=$tools/vitepress-1.6.4/guide-$$"
