#!/usr/bin/env bash
# One run of the gate within a CI job. It passes on a request to stop, so that the jobs of the run are cancelled and the
# report is written, and leaves the exit code to a later step, so that the report is kept also where the gate fails.
set -uo pipefail

# An input that isn't given leaves the variable of the job, if there is one. One that is given but empty, as a setting of
# the repository is that does not exist, goes on as it is: proofload refuses it instead of verifying something else.
for input in "${!GIVEN_@}"; do
  if [ "${!input}" != unset ]; then export "PROOFLOAD_${input#GIVEN_}=${!input}"; fi
done

# A directory of this run's own: what an earlier one in the same job has left is never taken for this one's.
mkdir -p "$(dirname "${PROOFLOAD_OUT:?the directory for the report}")" "$(dirname "${PROOFLOAD_HISTORY:-$PROOFLOAD_OUT}")"
report=$(mktemp -d "$PROOFLOAD_OUT.XXXXXX")
export PROOFLOAD_OUT=$report

node "${ACTION_PATH:?where proofload is}/dist/scripts/main.js" verify &
run=$!
trap 'kill -INT "$run" 2>/dev/null' INT TERM
# A signal ends a wait before the run has ended.
wait "$run"
while kill -0 "$run" 2>/dev/null; do wait "$run"; done
wait "$run"
code=$?

{
  echo "exit-code=$code"
  if [ -f "$report/results.json" ]; then
    echo "report=$report"
    echo "verdict=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).verdict' "$report/results.json")"
  fi
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
exit 0
