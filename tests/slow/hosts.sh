#!/usr/bin/env bash
# Compares waypost's verdicts on pages and their URLs with those of the hosts' own code, for random
# configurations and random names of pages, of Cloudflare Pages and Workers, Firebase Hosting,
# Netlify and Vercel.
#
# usage: tests/slow/hosts.sh [--count N] [--names N] [--seed N] [--host NAME] [--start N]
#
# `--count 20000 --names 10000` is a thorough run. The last line is 'N passed, M failed'.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need cargo "https://rustup.rs"
get_host_rules
# The sites are listed in one process; a process per site would spend its time on starting.
cargo build --quiet --locked --manifest-path "$top/Cargo.toml" --example listings
listings=${CARGO_TARGET_DIR:-$top/target}/debug/examples/listings
"$node" "$top/tests/slow/hosts.mjs" "$host_rules" "$listings" "$top/tests/cases/hosts" "$@"
