#!/usr/bin/env bash
# Notifies search engines of what changed since the last run. The inputs of the action are INPUT_*
# variables.
set -euo pipefail

[ -z "${INPUT_KEY:-}" ] || export WAYPOST_SUBMIT_KEY=$INPUT_KEY
exec "${WAYPOST_BIN:-waypost}" submit --record .waypost-submitted -- "${INPUT_SITE:-.}"
