# shellcheck shell=bash
# What .ci/run and .ci/nightly share: steps, suites with their counts, and the tools that they need.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
passed=0
failed=0
# The lines in which cargo and the suites of tests/slow count their tests.
cargo_counts='^test result: .* ([0-9]+) passed; ([0-9]+) failed;.*'
slow_counts='^([0-9]+) passed, ([0-9]+) failed$'

fail() {
    echo "FAILED $*"
    failed=$((failed + 1))
}

# Runs a command that passes or fails as a whole.
step() {
    echo "== $*"
    "$@" || fail "$*"
}

# Runs a command that prints lines with counts, and adds them up. A skipped test proves nothing, so it
# counts as a failure.
suite() {
    local counts=$1 log status=0 before=$failed good bad line
    shift
    log=$(mktemp)
    echo "== $*"
    "$@" | tee "$log" || status=$?
    while read -r good bad; do
        passed=$((passed + good))
        failed=$((failed + bad))
    done < <(sed -nE "s/$counts/\1 \2/p" "$log")
    [ "$status" -eq 0 ] || [ "$failed" -gt "$before" ] || fail "$*"
    while read -r line; do fail "$line"; done < <(grep -E '^ *SKIPPED' "$log")
    rm -f "$log"
}

# Runs functions of steps at the same time, and adds up what they count.
in_parallel() {
    local counts name good bad
    counts=$(mktemp -d)
    for name in "$@"; do
        (
            "$name"
            echo "$passed $failed" >"$counts/$name"
        ) 2>&1 | sed -u "s/^/$name: /" &
    done
    wait
    for name in "$@"; do
        if read -r good bad <"$counts/$name"; then
            passed=$((passed + good))
            failed=$((failed + bad))
        else
            fail "$name stopped early"
        fi
    done
    rm -rf "$counts"
}

# Prints 'N passed, M failed', and succeeds if there are tests and all of them pass.
end() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# Installs missing packages of Debian, and fails if a program is still missing.
install_missing() {
    local packages=() program
    command -v git >/dev/null || packages+=(git)
    command -v xmllint >/dev/null || packages+=(libxml2-utils)
    command -v shellcheck >/dev/null || packages+=(shellcheck)
    command -v strace >/dev/null || packages+=(strace)
    python3 -c 'import ensurepip' 2>/dev/null || packages+=(python3-venv)
    command -v npm >/dev/null || packages+=(npm)
    apt-get update -qq
    [ "${#packages[@]}" -eq 0 ] || apt-get install -y -qq --no-install-recommends "${packages[@]}" || exit 1
    for program in cargo rustfmt cargo-clippy git npm python3 xmllint shellcheck strace; do
        command -v "$program" >/dev/null || { echo "error: \`$program\` is not installed"; exit 1; }
    done
}
