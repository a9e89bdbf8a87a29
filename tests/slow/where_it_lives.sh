#!/usr/bin/env bash
# Builds small sites with real generators, below a path and at the root, and checks the base URL that waypost finds.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/where_it_lives.sh
#
# tests/it/where_it_lives.rs has the same builds as their documentation describes them. Each is built, built again, checked and explained.
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
unset WAYPOST
get_hugo
get_mkdocs
get_jekyll
get_node
get_packages vitepress-1.6.4 vitepress@1.6.4
get_packages astro-7 astro@7.1.6 @astrojs/sitemap @astrojs/starlight@0.41.5
get_packages docusaurus-3 @docusaurus/{core,preset-classic}@3.10.2 react{,-dom}@19
get_python_program pelican 4.12.0 pelican "pelican[markdown]==4.12.0"
pelican=$program
get_python_program mike 2.1.3 mike mike==2.1.3 mkdocs==1.6.1
mike=$program

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 ASTRO_TELEMETRY_DISABLED=1 JEKYLL_NO_BUNDLER_REQUIRE=true
for who in AUTHOR COMMITTER; do
    export "GIT_${who}_NAME=test" "GIT_${who}_EMAIL=test@example.com"
done
passed=0 failed=0

# begin NAME: an empty directory for a site.
begin() {
    name=$1
    rm -rf "$work/site"
    mkdir "$work/site"
    cd "$work/site"
}

# built COMMAND...: builds the site.
built() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; die "$name: the build failed"; }
}

# is BASE|refused TEXT [VARIABLE=VALUE...]: runs waypost in all ways.
is() {
    local expected=$1 said="" trouble="" command
    shift
    for command in "" "" check "explain --settings"; do
        # shellcheck disable=SC2086 # two words
        if said=$(env "$@" "$waypost" $command 2>&1); then
            case $expected in
            refused*) trouble="not refused" ;;
            *) grep -qF "$expected from " <<<"$said" || [ "$command" = check ] || trouble="another base URL" ;;
            esac
        else
            case $expected in
            refused*) grep -qF -- "${expected#refused }" <<<"$said" || trouble="refused for another reason" ;;
            *) trouble="exit code $?" ;;
            esac
        fi
        [ "$command" != "explain --settings" ] || [[ $expected != refused* ]] || trouble=""
        if [ -n "$trouble" ]; then
            echo "$name, waypost $command: $trouble, wanted $expected"
            echo "$said"
            failed=$((failed + 1))
            return
        fi
    done
    passed=$((passed + 1))
}

remote() {
    git init --quiet && git add -A && git commit --quiet -m site && git remote add origin "https://github.com/$1.git"
}

publishes() {
    mkdir -p .github/workflows
    echo 'jobs: {deploy: {steps: [{uses: actions/deploy-pages@v4}]}}' >.github/workflows/site.yml
}

hugo_site() {
    mkdir -p content layouts
    for page in a b; do
        printf -- '---\ntitle: %s\n---\nText of %s\n' $page $page >content/$page.md
    done
    echo '<!DOCTYPE html><title>x</title>{{ .Content }}{{ range site.RegularPages }}<a href="{{ .RelPermalink }}">x</a>{{ end }}' |
        tee layouts/single.html layouts/list.html >layouts/home.html
    echo "baseURL = '$1'" >hugo.toml
}

begin "Hugo, GitHub's starter workflow"
hugo_site https://acme.github.io/
built "$hugo" --baseURL https://acme.github.io/repo/
is https://acme.github.io/repo/

begin "Hugo, a path in its settings"
hugo_site https://acme.dev/docs/
built "$hugo"
is https://acme.dev/docs/

begin "Hugo, relative URLs below a path"
hugo_site https://acme.dev/docs/
echo 'relativeURLs = true' >>hugo.toml
built "$hugo"
is https://acme.dev/docs/

begin "Hugo, built for the root and published below a path"
hugo_site https://acme.github.io/
publishes
remote acme/repo
built "$hugo"
is "refused https://acme.github.io/repo/"

begin "Hugo on Netlify without baseURL"
hugo_site /
built "$hugo"
is https://acme.dev/ NETLIFY=true CONTEXT=production BRANCH=main URL=https://acme.dev

begin "Hugo without baseURL"
hugo_site /
built "$hugo"
is "refused no base URL"

vitepress_site() {
    mkdir .vitepress
    echo "export default { base: $1, sitemap: { hostname: '$2' } }" >.vitepress/config.mjs
    printf '# Home\n\n[A](/a) [B](/b)\n' >index.md
    echo '# A' >a.md
    echo '# B' >b.md
    ln -s "$tools/vitepress-1.6.4/node_modules" node_modules
    built "$node" node_modules/vitepress/bin/vitepress.js build
}

begin "VitePress, a base that its sitemap lacks"
vitepress_site "'/repo/'" https://acme.dev
is https://acme.dev/repo/

begin "VitePress, a base that its sitemap has"
vitepress_site "'/repo/'" https://acme.dev/repo/
is https://acme.dev/repo/

begin "VitePress, a computed base"
BASE=/repo/ vitepress_site "process.env.BASE ?? '/'" https://acme.dev
is https://acme.dev/repo/

begin "VitePress, a computed base at the root"
vitepress_site "process.env.BASE ?? '/'" https://acme.dev
is https://acme.dev/

astro_site() {
    mkdir -p src/pages
    printf 'import sitemap from "@astrojs/sitemap";\nexport default { %s, integrations: [%s] };\n' "$1" "$2" >astro.config.mjs
    for page in index a b; do
        # shellcheck disable=SC2016 # Astro expands it
        echo '<html><head><title>x</title></head><body><a href={`${import.meta.env.BASE_URL}/a/`.replace("//", "/")}>a</a><a href={`${import.meta.env.BASE_URL}/b/`.replace("//", "/")}>b</a>'$page'</body></html>' >src/pages/$page.astro
    done
    ln -s "$tools/astro-7/node_modules" node_modules
    built "$node" node_modules/astro/bin/astro.mjs build
}

begin "Astro, literal"
astro_site "site: 'https://acme.github.io', base: '/repo'" "sitemap()"
is https://acme.github.io/repo/

begin "Astro, a computed base"
BASE=/repo astro_site "site: 'https://acme.github.io', base: process.env.BASE" "sitemap()"
is https://acme.github.io/repo/

begin "Astro, a computed base without a sitemap"
BASE=/repo astro_site "site: 'https://acme.github.io', base: process.env.BASE" ""
is https://acme.github.io/repo/

begin "Astro, a computed site on Netlify"
SITE=https://acme.dev astro_site "site: process.env.SITE" ""
is https://acme.dev/ NETLIFY=true CONTEXT=production BRANCH=main URL=https://acme.dev

docusaurus_site() {
    mkdir -p src/pages docs
    echo "module.exports = { title: 'x', url: 'https://acme.github.io', baseUrl: $1, presets: [['classic', { blog: false }]] };" >docusaurus.config.js
    echo '{"name": "x"}' >package.json
    echo '# Home' >src/pages/index.md
    printf -- '---\nslug: /\n---\n# A\n' >docs/a.md
    echo '# B' >docs/b.md
    ln -s "$tools/docusaurus-3/node_modules" node_modules
    built "$node" node_modules/@docusaurus/core/bin/docusaurus.mjs build
}

begin "Docusaurus, literal"
docusaurus_site "'/repo/'"
is https://acme.github.io/repo/

begin "Docusaurus, computed"
BASE=/repo/ docusaurus_site "process.env.BASE || '/'"
is https://acme.github.io/repo/

jekyll_site() {
    printf 'url: %s\nplugins: [jekyll-sitemap]\n%s\n' "$1" "${2:-}" >_config.yml
    for page in index a b; do
        printf -- '---\ntitle: x\n---\n<!DOCTYPE html><title>x</title><a href="{{ "/a.html" | relative_url }}">a</a><a href="{{ "/b.html" | relative_url }}">b</a>%s' $page >$page.html
    done
}

begin "Jekyll, a path by a flag"
jekyll_site https://acme.github.io
built "$jekyll" build --quiet --baseurl /repo
is https://acme.github.io/repo/

begin "Jekyll, an empty path by a flag"
jekyll_site https://acme.dev 'baseurl: /book'
built "$jekyll" build --quiet --baseurl ''
is https://acme.dev/

begin "Jekyll, a path in its settings"
jekyll_site https://acme.dev 'baseurl: /book'
built "$jekyll" build --quiet
is https://acme.dev/book/

begin "Pelican, a path in its settings"
mkdir content
printf 'Title: A\nDate: 2025-01-01\n\nText\n' >content/a.md
printf "SITEURL = 'https://acme.dev/blog'\nFEED_ALL_ATOM = None\nTIMEZONE = 'UTC'\nDEFAULT_LANG = 'en'\nPATH = 'content'\n" >pelicanconf.py
built "$pelican" content -s pelicanconf.py
is https://acme.dev/blog/

mkdocs_site() {
    mkdir docs
    printf 'site_name: x\nsite_url: %s\n' "$1" >mkdocs.yml
    echo '# Home' >docs/index.md
    echo '# A' >docs/a.md
}

begin "MkDocs, a path in its settings"
mkdocs_site https://acme.github.io/repo/
built "$mkdocs" build --quiet
is https://acme.github.io/repo/

begin "MkDocs with mike, in the branch that it publishes"
mkdocs_site https://acme.dev/docs/
remote acme/repo
PATH=$(dirname "$mike"):$PATH
built "$mike" deploy --branch gh-pages 1.0 latest
built "$mike" set-default --branch gh-pages latest
built git checkout --quiet gh-pages
is https://acme.dev/docs/

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
