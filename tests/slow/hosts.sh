#!/usr/bin/env bash
# Compares waypost's verdicts on pages with those of the hosts' own code, for random configurations
# of Cloudflare Pages, Netlify and Vercel.
#
# usage: [WAYPOST=target/release/waypost] tests/slow/hosts.sh [COUNT [SEED]]
#
# The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
waypost=$(realpath "${WAYPOST:-$top/target/release/waypost}")
[ -x "$waypost" ] || die "\`$waypost\` does not exist: build it first, or set WAYPOST"
get_host_rules
"$node" "$top/tests/slow/hosts.mjs" "$host_rules" "$waypost" "${1:-500}" "${2:-1}"
