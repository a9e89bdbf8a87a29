#!/usr/bin/env bash
# Runs waypost on the site. The inputs of the action are INPUT_* variables; `--github` writes the
# annotations, the outputs and the step summary.
set -euo pipefail

fail() {
    echo "::error title=waypost::$1"
    exit 2
}

# Adds the flag of a switch. Values are those of GitHub's own actions (`getBooleanInput`); no other
# may silently mean no.
add_switch() {
    case $3 in
    true | True | TRUE) arguments+=("$2") ;;
    '' | false | False | FALSE) ;;
    *) fail "the input \`$1\` is neither true nor false" ;;
    esac
}

# Adds a flag for each line of a list, without surrounding blanks and carriage returns.
add_list() {
    local item
    while IFS= read -r item || [ -n "$item" ]; do
        item=${item#"${item%%[![:space:]]*}"}
        item=${item%"${item##*[![:space:]]}"}
        [ -z "$item" ] || arguments+=("$1=$item")
    done <<<"$2"
}

arguments=(--github)
[ -z "${INPUT_OUTPUT_DIR:-}" ] || arguments+=("--output-dir=$INPUT_OUTPUT_DIR")
[ -z "${INPUT_BASE_URL:-}" ] || arguments+=("--base-url=$INPUT_BASE_URL")
[ -z "${INPUT_CONFIG:-}" ] || arguments+=("--config=$INPUT_CONFIG")
add_list --source-map "${INPUT_SOURCE_MAP:-}"
[ -z "${INPUT_MEMORY:-}" ] || arguments+=("--memory=$INPUT_MEMORY")
add_list --accept "${INPUT_ACCEPT:-}"
[ -z "${INPUT_SINCE:-}" ] || arguments+=("--since=$INPUT_SINCE")
[ -z "${INPUT_RECORD:-}" ] || arguments+=("--record=$INPUT_RECORD")
add_switch dry-run --dry-run "${INPUT_DRY_RUN:-}"
add_switch strict --strict "${INPUT_STRICT:-}"
exec "${WAYPOST_BIN:-waypost}" build "${arguments[@]}" -- "${INPUT_SITE:-.}"
