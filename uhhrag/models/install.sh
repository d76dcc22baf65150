#!/bin/sh
# Install uhhrag from this folder, without a network and without a compiler.
#
#   sh install.sh            into ~/uhhrag
#   sh install.sh FOLDER     into another folder
#
# PYTHON names the Python to use, UHHRAG_HOME where models go (~/.local/share/uhhrag).
set -eu
here=$PWD
absolute() { case $1 in /*) echo "$1" ;; *) echo "$here/$1" ;; esac; }
target=$(absolute "${1:-$HOME/uhhrag}")
home=$(absolute "${UHHRAG_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/uhhrag}")
python=${PYTHON:-python3}
case $python in */*) python=$(absolute "$python") ;; esac
cd "$(dirname "$0")"

sha256sum --check --quiet SHA256SUMS || {
    echo "install: a file of the bundle is damaged; copy it again" >&2
    exit 1
}
wanted=$(cat python-version)
"$python" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$wanted')" || {
    echo "install: this bundle is for Python $wanted; name one by PYTHON=" >&2
    exit 1
}
machine=$(cat machine)
[ "$(uname -m)" = "$machine" ] || {
    echo "install: this bundle is for $machine; make one on a machine like this" >&2
    exit 1
}
"$python" -m venv "$target"
was=$("$target/bin/uhhrag" --version 2>/dev/null) || was=
# Only wheels of this bundle, whose sums were checked: another may have been unpacked here before.
wheels=$(sed -n 's/^[0-9a-f]*  \(wheels\/.*\)/\1/p' SHA256SUMS)
install() {
    # shellcheck disable=SC2086  # no name of a wheel has a space
    "$target/bin/python" -m pip --isolated install --quiet --disable-pip-version-check --no-index \
        --no-deps "$@" $wheels
}
install
wheels=$(echo "$wheels" | grep '^wheels/uhhrag-')
install --force-reinstall # another build of a version has the same name
mkdir -p "$home/models"
cp -R models/. "$home/models/"
[ -z "${UHHRAG_HOME:-}" ] || echo "Set UHHRAG_HOME=$home where you use it."
echo "Models are in $home/models."
now=$("$target/bin/uhhrag" --version)
echo "$target/bin/uhhrag is $now${was:+, in place of $was}."
