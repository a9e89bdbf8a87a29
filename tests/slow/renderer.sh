#!/usr/bin/env bash
# Has the real mdBook run waypost as a renderer, and holds what comes out against `mdbook build && waypost`.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/renderer.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "there is no \`$waypost\`: build it first, or set WAYPOST"
need git "apt-get install git"
need python3 "apt-get install python3"
get_mdbook

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 SOURCE_DATE_EPOCH=1768478400
passed=0
failed=0

check() {
    local about=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "FAILED $about"
        failed=$((failed + 1))
    fi
}

# A book with a history, whose book.toml ends in what stands on stdin.
book() {
    cp -r "$top/tests/slow/sites/mdbook" "$work/$1"
    rm "$work/$1/waypost.toml"
    cat >>"$work/$1/book.toml"
    cd "$work/$1"
    printf 'book/\n' >.gitignore
    git init --quiet --initial-branch=main
    git add --all
    GIT_AUTHOR_DATE="1700000000 +0100" GIT_COMMITTER_DATE="1700000000 +0100" \
        git -c user.name=test -c user.email=test@example.com commit --quiet -m book
}

settings() {
    printf '\n[output.waypost]\ncommand = "%s"\nbase-url = "https://example.com/book/"\nexclude = ["table.html"]\n' "$1"
    printf 'rule = [{ match = "guide/**", changefreq = "weekly", lastmod-from = ["git"] }]\n'
    printf '[output.waypost.sitemap]\nmax-urls = 4\n[output.waypost.levels]\nexcluded-by-rule = "warn"\n'
}

book rendered < <(settings "$waypost mdbook")
build() { "$mdbook" build >"$work/log" 2>&1; }
check "mdBook runs waypost" build
check "the sitemap lies beside the pages" test -f book/html/sitemap.xml
printf 'base_url = "https://example.com/book/"\nexclude = ["table.html"]\n[sitemap]\nmax_urls = 4\n[[rule]]\n%s\n' \
    'match = "guide/**"
changefreq = "weekly"' >"$work/waypost.toml"
cp -r book/html "$work/again"
rm "$work/again"/sitemap*
"$waypost" --quiet --config "$work/waypost.toml" --output-dir "$work/again" .
check "it is that of \`mdbook build && waypost\`" diff -r book/html "$work/again"
export MDBOOK_OUTPUT__WAYPOST__BASE_URL=https://example.net/
check "mdBook builds with another base URL in the environment" build
unset MDBOOK_OUTPUT__WAYPOST__BASE_URL
check "which is the one that is written" grep -q '<loc>https://example.net/' book/html/sitemap-0.xml

# What `mdbook serve` sets before it builds; this mdBook is built without it, since it takes a web server.
export MDBOOK_OUTPUT__HTML__LIVE_RELOAD_ENDPOINT=__livereload
check "mdBook builds as \`mdbook serve\` does" build
unset MDBOOK_OUTPUT__HTML__LIVE_RELOAD_ENDPOINT
check "waypost says that it writes no sitemap then" grep -q 'no sitemap is written' "$work/log"
check "and writes none" test ! -e book/html/sitemap.xml

book told < <(settings "sh -c 'cat >$work/context.json'")
check "mdBook tells of the book" build
same_context() {
    python3 - "$work/context.json" "$top/tests/mdbook/context-0.5.4.json" "$PWD" <<'PYTHON'
import json, sys
told, committed, root = sys.argv[1:]
told = json.loads(open(told).read().replace(root, "ROOT"))
told["config"]["output"]["waypost"]["command"] = "waypost mdbook"
sys.exit(told != json.load(open(committed)))
PYTHON
}
check "mdBook tells what the committed render context says" same_context

book alone < <(printf '\n[output.waypost]\ncommand = "%s mdbook"\n' "$waypost")
sed -i '/^\[output.html/,/^$/d' book.toml
refused() { ! build && grep -q 'but no .\[output.html\]' "$work/log"; }
check "a book without HTML is refused" refused

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
