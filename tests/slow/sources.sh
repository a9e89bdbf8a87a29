#!/usr/bin/env bash
# Builds every site of tests/generators with its real generator. sources.py then compares the
# sources that waypost finds with those of the generator and with the tables in the archives.
#
# usage: [WAYPOST=target/release/waypost] [UPDATE_GENERATORS=1] tests/slow/sources.sh [NAME...]
#
# UPDATE_GENERATORS=1 updates the output and the tables in each archive. The last line is
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
    mkdocs-i18n*) get_mkdocs_i18n && "$mkdocs" build ;;
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
    pelican*)
        get_python_program pelican 4.12.0 pelican "pelican[markdown]==4.12.0"
        "$program" --quiet
        rm -rf __pycache__
        ;;
    # It reads its sources from a commit.
    antora*)
        get_packages antora-3 antora@3.1.14
        git init --quiet --initial-branch=main
        git add --all
        git -c user.name=A -c user.email=a@example.com commit --quiet --message=sources
        "$tools/antora-3/node_modules/.bin/antora" --cache-dir "$work/antora" antora-playbook.yml
        ;;
    zensical*) get_zensical && "$zensical" build ;;
    hexo*)
        get_packages hexo-8 hexo@8.1.2 hexo-renderer-{marked@7.0.1,ejs@2.0.0} hexo-generator-{archive,tag}@2.0.0 hexo-generator-index@4.0.0
        TZ=UTC "$tools/hexo-8/node_modules/.bin/hexo" generate
        rm -f db.json
        ;;
    vuepress*)
        get_node
        get_packages vuepress-2 {vuepress,@vuepress/bundler-vite}@2.0.0-rc.26
        "$node" "$tools/vuepress-2/node_modules/vuepress/bin/vuepress.js" build docs
        rm -rf docs/.vuepress/.{cache,temp}
        ;;
    sveltekit*)
        get_node
        get_packages sveltekit-2 @sveltejs/{kit@2.70.2,adapter-static@3.0.10,vite-plugin-svelte@7.2.0} svelte@5.56.8 vite@8.2.0 mdsvex@0.12.8
        "$node" "$tools/sveltekit-2/node_modules/vite/bin/vite.js" build
        rm -rf .svelte-kit
        ;;
    next*)
        get_node
        get_packages next-16 next@16.2.12 react{,-dom}@19.2.8
        NEXT_TELEMETRY_DISABLED=1 "$node" "$tools/next-16/node_modules/next/dist/bin/next" build --webpack
        rm -rf .next
        find out -type f ! -name '*.html' ! -name 'sitemap*.xml' -delete
        find out -type d -empty -delete
        ;;
    gatsby*)
        get_node
        # The scripts of its packages download and compile what only images need.
        npm_config_ignore_scripts=true get_packages gatsby-5 gatsby@5.16.1 gatsby-plugin-sitemap@6.16.0 react{,-dom}@18.3.1
        PATH=$(dirname "$node"):$PATH CI=1 GATSBY_TELEMETRY_DISABLED=1 \
            "$node" "$tools/gatsby-5/node_modules/gatsby/cli.js" build --prefix-paths
        rm -rf .cache
        find public -type f ! -name '*.html' ! -name 'sitemap*.xml' -delete
        find public -type d -empty -delete
        ;;
    nuxt*)
        get_node
        get_packages nuxt-4 nuxt@4.4.5 @nuxt/content@3.15.2
        PATH=$(dirname "$node"):$PATH NUXT_TELEMETRY_DISABLED=1 \
            "$node" "$tools/nuxt-4/node_modules/nuxt/bin/nuxt.mjs" generate
        rm -rf .nuxt .data dist
        ;;
    vitepress*)
        get_node
        get_packages vitepress-1.6.4 vitepress@1.6.4
        "$node" "$tools/vitepress-1.6.4/node_modules/vitepress/bin/vitepress.js" build
        rm -rf .vitepress/cache
        ;;
    *) die "no generator for tests/generators/$1" ;;
    esac
}

# Some generators find their packages only in a parent directory of the site. The process id lets
# concurrent runs share the packages.
folder_of() {
    case $1 in
    astro*) echo "$tools/astro-7/site-$$/$1" ;;
    hexo*) echo "$tools/hexo-8/site-$$/$1" ;;
    vuepress*) echo "$tools/vuepress-2/site-$$" ;;
    sveltekit*) echo "$tools/sveltekit-2/site-$$/$1" ;;
    next*) echo "$tools/next-16/site-$$/$1" ;;
    gatsby*) echo "$tools/gatsby-5/site-$$/$1" ;;
    nuxt*) echo "$tools/nuxt-4/site-$$/$1" ;;
    vitepress*) echo "$tools/vitepress-1.6.4/site-$$/$1" ;;
    docusaurus*) echo "$tools/docusaurus-3/site-$$/$1" ;;
    *) echo "$work/$1" ;;
    esac
}

sites=()
for archive in "$top"/tests/generators/*.txtar; do
    name=$(basename "$archive" .txtar)
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    # A sentence above the tables says that the site is not built by the real generator.
    [ "$(head -c 2 "$archive")" = "# " ] || continue
    site=$(folder_of "$name")
    rm -rf "$site"
    python3 -B "$top/tests/slow/txtar.py" unpack "$archive" "$site"
    sed -nE '/^-- /q; s/^# ([^ ]+).*/\1/p' "$archive" | while read -r output; do
        rm -rf "${site:?}/$output"
    done
    (cd "$site" && generate "$name") >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; die "$name failed"; }
    sites+=("$archive=$site")
done
python3 -B "$top/tests/slow/sources.py" "$waypost" "${sites[@]}"
