#!/usr/bin/env bash
# Runs waypost as a renderer of the real mdBook, and compares the output with that of
# `mdbook build && waypost`.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/renderer.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
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

# Makes a book in a repository, and appends stdin to its book.toml.
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
    printf '[output.waypost.sitemap]\nmax-urls = 4\n[output.waypost.levels]\nexcluded-by-settings = "warn"\n'
}

book rendered < <(settings "$waypost mdbook")
build() { "$mdbook" build >"$work/log" 2>&1; }
check "mdBook runs waypost" build
check "the sitemap is in the directory of the pages" test -f book/html/sitemap.xml
printf 'base_url = "https://example.com/book/"\nexclude = ["table.html"]\n[sitemap]\nmax_urls = 4\n[[rule]]\n%s\n' \
    'match = "guide/**"
changefreq = "weekly"' >"$work/waypost.toml"
cp -r book/html "$work/again"
rm "$work/again"/sitemap*
"$waypost" --quiet --config "$work/waypost.toml" --output-dir "$work/again" .
check "the output equals that of \`mdbook build && waypost\`" diff -r book/html "$work/again"
book context < <(settings "sh -c 'cat >$work/context.json'")
check "mdBook passes the render context" build
same_context() {
    python3 - "$work/context.json" "$top/tests/mdbook/context-0.5.4.json" "$PWD" <<'PYTHON'
import json, sys
received, committed, root = sys.argv[1:]
received = json.loads(open(received).read().replace(root, "ROOT"))
received["config"]["output"]["waypost"]["command"] = "waypost mdbook"
sys.exit(received != json.load(open(committed)))
PYTHON
}
check "the render context equals the committed one" same_context

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
