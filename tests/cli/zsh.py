#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints what zsh offers if somebody types a line and the key for completion: for each line "TYPED" and the line, the offers, one a line,
and "LINE" with the resulting line. The zsh is a real one, on a terminal; the offers are read from compadd itself.

zsh.py FOLDER LINE...     FOLDER: where the completion _stint is
"""
import os
import pty
import re
import select
import sys
import tempfile
import time

WAIT_S = 120  # for anything: says nothing about how fast it comes
SETUP = r"""
PS1=; unset RPS1; unsetopt beep
fpath=(%s $fpath)
autoload -Uz compinit && compinit -u -D
zstyle ':completion:*' verbose no
compadd() {
	local -a hits
	if [[ ${(j: :)@[1,(i)(-|--)]} != *-[OAD]\ * ]]; then
		builtin compadd -A hits "$@"
		local hit
		for hit in $hits; do print -r -- "$IPREFIX$hit" >>%s; done
	fi
	builtin compadd "$@"
}
complete-and-tell() { zle complete-word; print -r -- "LINE $BUFFER" >>%s; BUFFER=; }
zle -N complete-and-tell
bindkey '^X' complete-and-tell
print ready >%s.ready
"""


def wait_for(master, happened):
    end = time.monotonic() + WAIT_S
    seen = b""
    while not happened():
        if time.monotonic() > end:
            sys.exit(f"zsh does not answer: {seen.decode(errors='replace')}")
        if select.select([master], [], [], 0.05)[0]:
            try:
                seen += os.read(master, 65536)
            except OSError:
                sys.exit(f"zsh ended: {seen.decode(errors='replace')}")


def text_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def main():
    folder, *lines = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        told = os.path.join(work, "told")
        setup = os.path.join(work, "setup")
        with open(setup, "w", encoding="utf-8") as file:
            file.write(SETUP % (folder, told, told, told))
        pid, master = pty.fork()
        if pid == 0:
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "xterm", "ZDOTDIR": work, "HOME": work})
        os.write(master, f". {setup}\n".encode())
        wait_for(master, lambda: os.path.exists(told + ".ready"))
        for number, line in enumerate(lines, 1):
            with open(told, "a", encoding="utf-8") as file:
                file.write(f"TYPED {line}\n")
            os.write(master, line.encode() + b"\x18")
            wait_for(master, lambda wanted=number: len(re.findall("^LINE .*\n", text_of(told), re.M)) == wanted)
        os.write(master, b"exit\n")
        os.close(master)
        os.waitpid(pid, 0)
        print(text_of(told), end="")


main()
