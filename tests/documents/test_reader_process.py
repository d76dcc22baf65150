"""The process that documents are read in."""

from __future__ import annotations

import subprocess
import sys


def test_a_document_cannot_make_its_reader_use_the_network_or_start_a_program():
    probe = (
        "import socket, subprocess, sys, urllib.request\n"
        "from uhhrag.documents import reader_process\n"
        "reader_process._shut_in()\n"
        "for ask in (lambda: socket.create_connection(('127.0.0.1', 9)),\n"
        "            lambda: socket.getaddrinfo('localhost', 80),\n"
        "            lambda: urllib.request.urlopen('http://127.0.0.1:9'),\n"
        "            lambda: subprocess.run(['true'])):\n"
        "    try:\n"
        "        ask()\n"
        "        print('allowed')\n"
        "    except PermissionError as error:\n"
        "        print('refused' if 'refused' in str(error) else error)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert done.stdout.split() == ["refused"] * 4, done.stderr
