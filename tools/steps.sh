# shellcheck shell=bash
# Sourced by ./run and ./test: progress lines, and commands whose output matters only when they fail.

log_folder=build/logs
step_count=0
step_index=0

bold="" red="" plain=""
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    bold=$'\e[1m' red=$'\e[31m' plain=$'\e[0m'
fi

# say <text>: a line below the current step.
say() {
    echo "      $*"
}

# step <text>: begins the next of step_count steps.
step() {
    step_index=$((step_index + 1))
    echo "${bold}[$step_index/$step_count]${plain} $*"
}

# usage_error <text>: wrong usage ends with exit code 2.
usage_error() {
    echo "${0##*/}: $*; see ./${0##*/} --help" >&2
    exit 2
}

# quiet <name> <command>...: runs the command with its output in a log, and shows the end of the log if it fails.
quiet() {
    local name=$1 status=0
    shift
    mkdir -p "$log_folder"
    local log=$log_folder/$name.log
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [[ $status -ne 0 ]]; then
        echo "${red}failed:${plain} $*" >&2
        tail -n 120 "$log" >&2
        echo "(the whole log: $log)" >&2
    fi
    return $status
}
