#!/usr/bin/env bash
# Runs waypost on the site: the inputs of the action come in as INPUT_* variables, annotations, outputs and the step's
# summary go out by `--github`.
set -euo pipefail

arguments=(--github)
[ -z "${INPUT_OUTPUT_DIR:-}" ] || arguments+=("--output-dir=$INPUT_OUTPUT_DIR")
[ -z "${INPUT_BASE_URL:-}" ] || arguments+=("--base-url=$INPUT_BASE_URL")
[ -z "${INPUT_CONFIG:-}" ] || arguments+=("--config=$INPUT_CONFIG")
[ "${INPUT_DRY_RUN:-false}" != true ] || arguments+=(--dry-run)
[ "${INPUT_STRICT:-false}" != true ] || arguments+=(--strict)
exec "${WAYPOST_BIN:-waypost}" build "${arguments[@]}" -- "${INPUT_SITE:-.}"
