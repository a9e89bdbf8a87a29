#!/usr/bin/env bash
# Runs the GitHub Action, its example workflows and the Netlify plugin as their hosts run them, with the real Zola, Hugo and
# mdBook and Netlify's own build program, all offline.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/pipelines.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "there is no \`$waypost\`: build it first, or set WAYPOST"
need git "apt-get install git"
get_zola
get_hugo
get_mdbook
get_netlify_build
get_action_validator

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$zola" "$work/bin/zola"
ln -s "$hugo" "$work/bin/hugo"
ln -s "$mdbook" "$work/bin/mdbook"
ln -s "$node" "$work/bin/node"

# Python's library reads no YAML; the parser that Netlify uses does.
for file in "$top"/action.yml "$top"/examples/github-pages/*.yml; do
    name=${file##*/}
    "${netlify_build%/*}/yaml" --json --strict <"$file" >"$work/${name%.yml}.json" || die "$file is no YAML"
done
python3 -B "$top/tests/slow/pipelines.py" "$work" "$waypost" "$netlify_build" "$action_validator"
