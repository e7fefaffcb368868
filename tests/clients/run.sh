#!/usr/bin/env bash
# Every client of docs/clients in a virtual environment of its own: install, train for about a minute, and beat random.
#
#   tests/clients/run.sh                     all of them; a quarter of an hour to half an hour on two cores
#   tests/clients/run.sh torchrl agilerl     some of them
#   CLIENTS_DIR=~/clients tests/clients/run.sh   keeps the virtual environments and logs there for the next run
#   PYTHON=python3.12 tests/clients/run.sh
#
# It needs Python 3.11 or newer with pip and venv, and a package index. A failure does not stop what comes after it; the
# table at the end says what failed, and the exit status is then 1.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

LIBRARIES=(sb3 cleanrl skrl torchrl tianshou agilerl supersuit rllib open_spiel words textarena verifiers openenv mcp kaggle)

# scripts_of LIBRARY: what is run for it; scripts of docs/clients train, the checks play by what those leave out
scripts_of() {
    case "$1" in
        sb3) echo docs/clients/maskable_ppo.py docs/clients/normalize_observation.py ;;
        cleanrl) echo docs/clients/cleanrl_style.py ;;
        skrl) echo docs/clients/skrl_ppo.py tests/clients/checks/check_skrl.py ;;
        torchrl) echo docs/clients/torchrl_ppo.py tests/clients/checks/check_torchrl.py ;;
        tianshou) echo docs/clients/tianshou_dqn.py tests/clients/checks/check_tianshou.py ;;
        agilerl) echo docs/clients/agilerl_ppo.py tests/clients/checks/check_agilerl.py ;;
        supersuit) echo docs/clients/supersuit_ppo.py tests/clients/checks/check_supersuit.py ;;
        rllib) echo docs/clients/rllib.py tests/clients/checks/check_rllib.py ;;
        open_spiel) echo docs/clients/openspiel_league.py tests/clients/checks/check_open_spiel.py ;;
        words) echo docs/clients/words_baselines.py ;;
        textarena) echo docs/clients/textarena_match.py tests/clients/checks/check_textarena.py ;;
        verifiers) echo tests/clients/checks/check_verifiers.py ;;
        openenv) echo docs/clients/openenv_match.py tests/clients/checks/check_openenv.py ;;
        mcp) echo docs/clients/mcp_match.py tests/clients/checks/check_mcp.py ;;
        kaggle) echo docs/clients/kaggle_episode.py tests/clients/checks/check_kaggle.py ;;
        *)
            echo "clients: $1 is not known: the libraries are ${LIBRARIES[*]}" >&2
            return 1
            ;;
    esac
}

PYTHON="${PYTHON:-python3}"
if ! "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "clients: $PYTHON is $("$PYTHON" -V 2>&1), but Python 3.11 or newer is needed: set PYTHON" >&2
    exit 1
fi
for library in "$@"; do
    scripts_of "$library" >/dev/null
done

if [[ -n "${CLIENTS_DIR:-}" ]]; then
    mkdir -p "$CLIENTS_DIR"
    work="$(cd "$CLIENTS_DIR" && pwd)"
else
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
fi
rows=()
failed=0

# step LIBRARY WHAT COMMAND...: runs a command into a log; keeps its time, status and last line for the table
step() {
    local library="$1" what="$2" start=$SECONDS status=ok
    local log="$work/$library-$what.log"
    shift 2
    printf '=== %s: %s\n' "$library" "$*"
    if ! (cd "$work" && "$@") >"$log" 2>&1; then
        status=FAILED
        failed=1
        tail -n 25 "$log"
    fi
    rows+=("$(printf '%-10s %-24s %-6s %4d s  %s' "$library" "$what" "$status" $((SECONDS - start)) "$(result "$log")")")
    printf -- '--- %s\n' "${rows[-1]}"
    [[ $status == ok ]]
}

# result LOG: the wins and their interval, out of the line of JSON that a training script ends with
result() {
    sed -nE 's/.*"wins": ([0-9.]+), "interval": (\[[^]]*\]).*/wins \1 \2/p' "$1" | tail -n 1
}

# install LIBRARY: makes its virtual environment, with this project and what tests/clients/LIBRARY.txt lists, and compiles
# everything, once for all of them: it does not count as training, and no client of a server waits for it, which OpenEnv's
# do for a minute only
install() {
    { [[ -x "$work/$1/bin/python" ]] || "$PYTHON" -m venv "$work/$1"; } &&
        "$work/$1/bin/pip" install --quiet --disable-pip-version-check -r "$root/tests/clients/$1.txt" -e "$root" &&
        "$work/$1/bin/pip" check &&
        "$work/$1/bin/endeavor" compile
}

export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
for library in "${@:-${LIBRARIES[@]}}"; do
    step "$library" install install "$library" || continue
    for script in $(scripts_of "$library"); do
        step "$library" "$(basename "$script" .py)" "$work/$library/bin/python" "$root/$script" || true
    done
done

echo
printf '%s\n' "${rows[@]}"
if ((failed)); then
    echo "clients: FAILED after $SECONDS s"
    exit 1
fi
echo "clients: all passed in $SECONDS s"
