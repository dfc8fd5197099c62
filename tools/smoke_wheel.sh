#!/bin/sh
# Builds the wheel and uses it in an empty environment, from an empty folder.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/.venv/bin/uv" build --quiet --wheel --out-dir "$work/dist" "$root"
"$root/.venv/bin/uv" venv --quiet --python "$root/.venv/bin/python" "$work/venv"
"$root/.venv/bin/uv" pip install --quiet --python "$work/venv/bin/python" "$(ls "$work"/dist/*.whl)"
mkdir "$work/empty"
cd "$work/empty"
"$work/venv/bin/understudy" --version
"$work/venv/bin/understudy" clip info walk
"$work/venv/bin/understudy" fit walk --character human --out walk.npz
"$work/venv/bin/understudy" compare walk.npz walk
"$work/venv/bin/understudy" clip edit walk short.bvh --end-s 0.3
"$work/venv/bin/understudy" perform short.bvh --samples 60 --rounds 1  # no ffmpeg here: told, and gone on
test -s out/short/performance.bvh
test -s out/short/report.html
rm -r out short.bvh
test "$(ls)" = walk.npz || { echo "the wheel left files behind: $(ls)" >&2; exit 1; }
echo "wheel: works in an empty environment"
