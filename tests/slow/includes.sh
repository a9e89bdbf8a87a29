#!/usr/bin/env bash
# Changes the included files of small sites one by one: the pages that the real generator then
# writes differently are those whose date must change.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/includes.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
need git "apt-get install git"
get_mdbook
get_hugo
get_python_program mkdocs-reference 1.6.1 mkdocs mkdocs==1.6.1 pymdown-extensions==13.1 mkdocs-include-markdown-plugin==7.3.0 \
    mkdocstrings-python==2.0.11 mdx-include==1.4.2 markdown-include-variants==0.0.8
mkdocs=$program
get_python_program sphinx-myst 9.0.4 sphinx-build sphinx==9.0.4 myst-parser==5.2.0
sphinx=$program

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
passed=0
failed=0
judge() {
    local name=$1
    mkdir "$work/$name"
    python3 -B "$top/tests/slow/includes.py" "$waypost" "$top/tests/slow/sites/includes/$name.txtar" "$work/$name" \
        "${@:2}" | tee "$work/log" || true
    [[ $(tail -n 1 "$work/log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || die "$name stopped early"
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
}
judge mdbook book "$mdbook" build
judge mkdocs site "$mkdocs" build --quiet
judge sphinx _build/html "$sphinx" -q -E -b html . _build/html
judge hugo public "$hugo" --quiet
echo "$passed passed, $failed failed"
