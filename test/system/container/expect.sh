# shellcheck shell=bash disable=SC2154
# Sourced by the scripts of this folder: says what was expected, and counts what was not so. Wants $work.
failures=0

step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }
say() { printf '     %s\n' "$1"; }

# expect WHAT COMMAND...: the command succeeds; where it does not, what it printed is shown.
expect() {
  local what=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    printf 'ok   %s\n' "$what"
  else
    printf 'FAIL %s\n' "$what"
    head -20 "$work/output" | sed 's/^/     /'
    failures=$((failures + 1))
  fi
}

not() { ! "$@"; }

same() {
  [[ $1 == "$2" ]] && return
  printf 'is     %s\nwanted %s\n' "$1" "$2"
  return 1
}

empty() {
  [[ ! -s $1 ]] && return
  cat "$1"
  return 1
}
