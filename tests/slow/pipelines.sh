#!/usr/bin/env bash
# Runs the GitHub Action, its example workflows and the Netlify plugin as their hosts run them,
# offline, with the real Zola, Hugo, mdBook and Netlify Build.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/pipelines.sh
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
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

python3 -B "$top/tests/slow/pipelines.py" "$work" "$waypost" "$netlify_build" "$action_validator"
