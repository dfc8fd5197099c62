#!/bin/sh
# Makes .venv with Understudy and what its checks need. Run by make; safe to run again.
# On Debian and Ubuntu it installs the two system parts a fresh machine lacks: venv and software rendering.
set -eu
cd "$(dirname "$0")/.."

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; elif command -v sudo >/dev/null 2>&1; then sudo "$@"; else
        echo "needs root to run: $*" >&2
        return 1
    fi
}

install_packages() {
    command -v apt-get >/dev/null 2>&1 || { echo "please install by hand: $*" >&2; return 1; }
    echo "installing system packages: $*"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

works() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1; }

python=
for candidate in "${PYTHON:-}" python3.11 python3.12 python3.13 python3; do
    if [ -n "$candidate" ] && works "$candidate"; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || { echo "Understudy needs Python 3.11, 3.12 or 3.13; none was found" >&2; exit 1; }

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import pip' >/dev/null 2>&1; then
    "$python" -c 'import ensurepip' 2>/dev/null || install_packages "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    "$python" -m venv .venv
fi
if ! .venv/bin/python -c 'import ctypes; ctypes.CDLL("libEGL.so.1"); ctypes.CDLL("libEGL_mesa.so.0")' 2>/dev/null; then
    install_packages libegl1 libegl-mesa0 libgl1-mesa-dri ||
        echo "pictures and videos will need libegl1 libegl-mesa0 libgl1-mesa-dri" >&2
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check uv
.venv/bin/uv pip install --quiet --python .venv/bin/python --editable '.[dev]'
touch .venv/ready
