#!/bin/sh
# Install uhhrag from this folder, without a network and without a compiler.
#
#   sh install.sh            into ~/uhhrag
#   sh install.sh FOLDER     into another folder
#
# PYTHON names the Python to use, UHHRAG_HOME where models go (~/.local/share/uhhrag).
set -eu
cd "$(dirname "$0")"
target=${1:-$HOME/uhhrag}
home=${UHHRAG_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/uhhrag}
python=${PYTHON:-python3}

sha256sum --check --quiet SHA256SUMS || {
    echo "install: a file of the bundle is damaged; copy it again" >&2
    exit 1
}
wanted=$(cat python-version)
"$python" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$wanted')" || {
    echo "install: this bundle is for Python $wanted; name one by PYTHON=" >&2
    exit 1
}
"$python" -m venv "$target"
"$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps wheels/*.whl
mkdir -p "$home/models"
cp -R models/. "$home/models/"
echo "$target/bin/uhhrag is installed; models are in $home/models"
