#!/usr/bin/env bash
# Builds every site of tests/generators with its real generator. sources.py then compares the
# sources that waypost finds with those of the generator and with the committed tables.
#
# usage: [WAYPOST=target/release/waypost] [UPDATE_GENERATORS=1] tests/slow/sources.sh [NAME...]
#
# UPDATE_GENERATORS=1 updates the output and the table of each site. The last line is
# 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
work=$(mktemp -d)
trap 'rm -rf "$work" "$tools"/*/"site-$$"' EXIT

# Runs a generator in the directory of a site.
generate() {
    case $1 in
    zola*) get_zola && "$zola" build ;;
    hugo*) get_hugo && "$hugo" ;;
    # The output is outside the book directory, which waypost accepts only in a repository.
    mdbook-sub) get_mdbook && git init --quiet && "$mdbook" build manual ;;
    mdbook*) get_mdbook && "$mdbook" build ;;
    mkdocs*) get_mkdocs && "$mkdocs" build ;;
    sphinx-dirhtml) get_sphinx && "$sphinx" -b dirhtml . _build/html ;;
    sphinx*) get_sphinx && "$sphinx" -b html . _build/html ;;
    jekyll*) get_jekyll && "$jekyll" build ;;
    eleventy*)
        get_packages eleventy-3.1.2 @11ty/eleventy@3.1.2
        node "$tools/eleventy-3.1.2/node_modules/@11ty/eleventy/cmd.cjs"
        ;;
    astro*)
        get_node
        get_packages astro-7 astro@7.1.6 @astrojs/starlight@0.41.5 sharp@0.35.3
        ASTRO_TELEMETRY_DISABLED=1 "$node" "$tools/astro-7/node_modules/astro/bin/astro.mjs" build
        ;;
    docusaurus*)
        get_node
        get_packages docusaurus-3 @docusaurus/{core,preset-classic}@3.10.2 react@18.3.1 react-dom@18.3.1
        CI=1 "$node" "$tools/docusaurus-3/node_modules/@docusaurus/core/bin/docusaurus.mjs" build
        ;;
    *) die "no generator for tests/generators/$1" ;;
    esac
}

# Some generators find their packages only in a parent directory of the site. The process id lets
# concurrent runs share the packages.
folder_of() {
    case $1 in
    astro*) echo "$tools/astro-7/site-$$" ;;
    docusaurus*) echo "$tools/docusaurus-3/site-$$" ;;
    *) echo "$work/$1" ;;
    esac
}

tables=()
built=" "
for table in "$top"/tests/generators/*.tsv; do
    [ $# -eq 0 ] || [[ " $* " == *" $(basename "$table" .tsv) "* ]] || continue
    read -r _ name output _ <"$table"
    site=$(folder_of "$name")
    if [[ $built != *" $name "* ]]; then
        rm -rf "$site"
        mkdir -p "$(dirname "$site")"
        cp -r "$top/tests/generators/$name" "$site"
        rm -rf "${site:?}/$output"
        (cd "$site" && generate "$name") >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; die "$name failed"; }
        built+="$name "
    fi
    tables+=("$table=$site")
done
python3 -B "$top/tests/slow/sources.py" "$waypost" "${tables[@]}"
