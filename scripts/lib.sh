# Shared by the scripts of this folder: where the tree is, how a message looks, how a long step shows its progress.
# Source it; it changes to the root of the tree.

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
cd "$root"
logs=$root/build/logs
jobs=$(nproc)
# Debian's own Python, to which python3-yaml belongs; another one in PATH need not have it.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Two runs at a time would build into the same folders: the second one waits for the first.
take_turn() {
  mkdir -p "$logs"
  exec 9>"$root/build/.turn"
  flock --nonblock 9 || { say "another run is at work in $root/build: waiting for it"; flock 9; }
}

current_job=
end_current_job() {
  if [[ -n $current_job ]]; then
    kill -- "-$current_job" 2>/dev/null || true
    current_job=
  fi
}
trap 'end_current_job; exit 130' INT TERM

# run_logged LOG COMMAND…: output goes to the log; a line of progress every half minute; the command's exit status. A
# function given here must not lean on `set -e`: bash switches it off for whoever looks at the status.
run_logged() {
  local log=$1 started=$SECONDS status=0
  shift
  set -m # a process group of its own, so that an interrupt ends all of it
  ("$@") >"$log" 2>&1 9>&- </dev/null &
  current_job=$!
  set +m
  while kill -0 "$current_job" 2>/dev/null; do
    timeout 30 tail --pid="$current_job" -s 0.2 -f /dev/null & # in the background: `wait` lets an interrupt through
    wait "$!" || say "    … $((SECONDS - started)) s: $(tail -n 1 "$log" | tr -d '\r' | cut -c 1-100)"
  done
  wait "$current_job" || status=$?
  current_job=
  return "$status"
}

# build_preset PRESET TARGET…: configures (cheap when nothing changed) and builds.
build_preset() {
  local preset=$1
  shift
  # What GCC compiled in one clone, another one in another folder need not compile again. With CCACHE_DEPEND nothing is
  # preprocessed twice; precompiled headers want the sloppiness.
  if have ccache; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros
  fi
  cmake --preset "$preset" || return 1
  cmake --build "build/$preset" --parallel "$jobs" --target "$@"
}

# must NAME COMMAND…: a step without which the script cannot go on; prints the end of the log when it fails.
must() {
  local name=$1 log
  shift
  log=$logs/${name//[^a-zA-Z0-9]/-}.log
  mkdir -p "$logs"
  say "==> $name"
  if ! run_logged "$log" "$@"; then
    tail -n 40 "$log" >&2
    die "$name failed; the whole output is in ${log#"$root"/}"
  fi
}
