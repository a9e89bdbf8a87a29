#!/usr/bin/env bash
# Builds three sites with the real Zola, Hugo and mdBook, then runs judge.py on them.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/generators.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
need git "apt-get install git"
need xmllint "apt-get install libxml2-utils"
get_zola
get_hugo
get_mdbook

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# Commits the staged changes, a day after the last commit, in another time zone.
day=0
commit() {
    local zones=(+0000 +0100 -0530 +1245)
    day=$((day + 1))
    local when="$((1704103200 + day * 86400)) ${zones[day % 4]}"
    GIT_AUTHOR_DATE="1700000000 +0000" GIT_COMMITTER_DATE=$when \
        git -c user.name=test -c user.email=test@example.com "${@:-commit}" --quiet -m "day $day"
}

# Creates a history with a different date for every file: each file is added in its own commit,
# every third page changes later, and one page changes on a branch that is merged.
write_history() {
    git init --quiet --initial-branch=main
    local file files=() pages=()
    readarray -d '' -t files < <(find . -path ./.git -prune -o -type f -print0 | LC_ALL=C sort -z)
    for file in "${files[@]}"; do
        git add -- "$file"
        commit
        [[ $file != *.md ]] || pages+=("$file")
    done
    local number
    for ((number = 0; number < ${#pages[@]}; number += 3)); do
        echo >>"${pages[number]}"
        git add -- "${pages[number]}"
        commit
    done
    git switch --quiet --create side HEAD~2
    echo >>"${pages[1]}"
    git add -- "${pages[1]}"
    commit
    git switch --quiet main
    commit merge --no-ff side
}

# Copies a site without its output, creates a history, and builds the site.
build_site() {
    local name=$1 from=$2
    shift 2
    cp -r "$from" "$work/$name"
    rm -rf "$work/$name/public"
    (cd "$work/$name" && write_history && "$@") >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; die "$name failed"; }
}

build_site zola "$top/tests/edge-site" "$zola" build
diff -r -x sitemap.xml -x robots.txt "$top/tests/edge-site/public" "$work/zola/public" ||
    die "tests/edge-site/public differs from the output of Zola: run tests/edge-site/rebuild"
"$top/sample-site/rebuild" || die "Zola builds another sample-site/public"
build_site hugo "$top/tests/slow/sites/hugo" "$hugo" build --minify
build_site mdbook "$top/tests/slow/sites/mdbook" "$mdbook" build
python3 "$top/tests/slow/judge.py" "$waypost" "zola=$work/zola" "hugo=$work/hugo" "mdbook=$work/mdbook"
