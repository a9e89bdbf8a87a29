#!/usr/bin/env bash
# Runs waypost on the site. The inputs of the action are INPUT_* variables; `--github` writes the
# annotations, the outputs and the step summary.
set -euo pipefail

arguments=(--github)
[ -z "${INPUT_OUTPUT_DIR:-}" ] || arguments+=("--output-dir=$INPUT_OUTPUT_DIR")
[ -z "${INPUT_BASE_URL:-}" ] || arguments+=("--base-url=$INPUT_BASE_URL")
[ -z "${INPUT_CONFIG:-}" ] || arguments+=("--config=$INPUT_CONFIG")
[ -z "${INPUT_MANIFEST:-}" ] || arguments+=("--manifest=$INPUT_MANIFEST")
while IFS= read -r list; do # one per line
    [ -z "$list" ] || arguments+=("--source-map=$list")
done <<<"${INPUT_SOURCE_MAP:-}"
while IFS= read -r code; do # one per line
    [ -z "$code" ] || arguments+=("--accept=$code")
done <<<"${INPUT_ACCEPT:-}"
[ -z "${INPUT_SINCE:-}" ] || arguments+=("--since=$INPUT_SINCE")
[ -z "${INPUT_RECORD:-}" ] || arguments+=("--record=$INPUT_RECORD")
[ "${INPUT_DRY_RUN:-false}" != true ] || arguments+=(--dry-run)
[ "${INPUT_STRICT:-false}" != true ] || arguments+=(--strict)
exec "${WAYPOST_BIN:-waypost}" build "${arguments[@]}" -- "${INPUT_SITE:-.}"
