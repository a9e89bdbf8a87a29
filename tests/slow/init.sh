#!/usr/bin/env bash
# Makes a site by each generator's own starter, runs `waypost init` for each host, and then the build that
# this leads to, with the real generators, npm, pip and Netlify Build.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/init.sh [GENERATOR...]
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
need git "apt-get install git"
need xmllint "apt-get install libxml2-utils"
need curl "apt-get install curl"
generators=("$@")
[ $# -gt 0 ] || generators=(plain zola hugo mdbook mkdocs eleventy docusaurus)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

# Puts a program on the search path of the machines that have a generator.
provide() {
    local program=$work/generators/$1
    mkdir -p "${program%/*}"
    printf '#!/bin/sh\nexec %s "$@"\n' "${*:2}" >"$program"
    chmod +x "$program"
}

get_netlify_build
ln -s "$node" "$work/bin/node"
for generator in "${generators[@]}"; do
    case $generator in
    zola) get_zola && provide zola/zola "$zola" ;;
    hugo) get_hugo && provide hugo/hugo "$hugo" ;;
    mdbook) get_mdbook && provide mdbook/mdbook "$mdbook" ;;
    mkdocs) get_mkdocs && provide mkdocs/mkdocs "$mkdocs" ;;
    plain | eleventy) ;; # npm installs Eleventy in the site
    docusaurus)
        get_packages create-docusaurus-3 create-docusaurus@3.10.2
        provide docusaurus/create-docusaurus "$node" "$tools/create-docusaurus-3/node_modules/create-docusaurus/bin/index.js"
        ;;
    *) die "unknown generator \`$generator\`" ;;
    esac
done
python3 -B "$top/tests/slow/init.py" "$work" "$waypost" "$netlify_build" "${generators[@]}"
