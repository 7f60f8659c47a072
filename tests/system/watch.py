#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs stint watch on a terminal of 80 columns and 24 lines, and says what is wrong with what it draws there.

watch.py KEY COMMAND...          types KEY ("^C" or "q") when three pages were drawn
watch.py touch=FILE COMMAND...   makes FILE then, with which the job ends
watch.py STEP;;STEP COMMAND...   takes several steps, one after the other; also run=COMMAND, for a shell, and
                                 seen=TEXT, which waits until TEXT was drawn
watch.py fails:STEP COMMAND...   the command is to end with 1

Prints what stands on the terminal in the end, as text.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import unicodedata

COLUMNS, LINES = 80, 24
WAIT_S = 300  # for anything: this says nothing about how fast it comes
ENTER, LEAVE, HOME = b"\033[?1049h", b"\033[?1049l", b"\033[H"
STEERS = re.compile(r"\033\[[0-9;?]*[A-Za-z]")


def fail(why, seen):
    sys.exit(f"{why}\n{seen.decode(errors='replace')!r}")


class Terminal:
    def __init__(self, command):
        self.seen = b""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"})
        self.before = self.settings()

    def settings(self):
        return termios.tcgetattr(self.master)

    def read(self):
        """Reads more. Returns False if the command has closed its terminal."""
        if not select.select([self.master], [], [], 1)[0]:
            return True
        try:
            part = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += part
        return bool(part)

    def until(self, happened, what):
        end = time.monotonic() + WAIT_S
        while not happened():
            if time.monotonic() > end:
                fail(f"not within {WAIT_S} s: {what}", self.seen)
            if not self.read():
                fail(f"it ended before: {what}", self.seen)

    def rest(self):
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def columns_of(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def check_frames(frames, seen):
    for frame in frames:
        for raw in frame.decode().split("\r\n"):
            if (erase := re.search(r"\033\[[0-3]?[KJ]", raw)) and STEERS.sub("", raw[:erase.start()]):
                fail(f"behind a line of the screen's width this takes its last letter: {raw!r}", seen)
        lines = STEERS.sub("", frame.decode()).split("\r\n")
        if len(lines) != LINES:
            fail(f"a page of {len(lines)} lines", seen)
        for line in (line.rstrip("\r") for line in lines):
            if columns_of(line) > COLUMNS:
                fail(f"a line of {columns_of(line)} columns: {line!r}", seen)
        if not re.match(r"job \d+, \d\d:\d\d:\d\d", lines[-1]):
            fail(f"the last line: {lines[-1]!r}", seen)


def take(step, terminal):
    name, _, what = step.partition("=")
    if name == "touch":
        pathlib.Path(what).touch()
    elif name == "run":
        subprocess.run(what, shell=True, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    elif name == "seen":
        terminal.until(lambda: what in STEERS.sub("", terminal.seen.decode(errors="replace")), what)
    else:
        os.write(terminal.master, {"^C": b"\x03", "q": b"q"}[step])


def main():
    steps, command = sys.argv[1].removeprefix("fails:").split(";;"), sys.argv[2:]
    wanted = 1 if sys.argv[1].startswith("fails:") else 0
    terminal = Terminal(command)
    terminal.until(lambda: len(set(terminal.seen.split(HOME)[1:])) > 3, "three pages that differ")
    if not terminal.seen.startswith(ENTER):
        fail("it does not begin with the other screen", terminal.seen)
    if terminal.settings()[3] & (termios.ECHO | termios.ICANON):
        fail("what is typed is shown", terminal.seen)
    frames = terminal.seen.split(HOME)[1:-1]
    for step in steps:
        take(step, terminal)
    terminal.until(lambda: LEAVE in terminal.seen, "the first screen again")
    terminal.until(lambda: terminal.settings()[:4] == terminal.before[:4], "the terminal's settings as they were")
    status = terminal.rest()
    check_frames(frames, terminal.seen)
    if status != wanted:
        fail(f"it ended with {status}", terminal.seen)
    drawn, last = terminal.seen.split(LEAVE)
    for on, off in (b"\033[?25l", b"\033[?25h"), (b"\033[?7l", b"\033[?7h"):
        if drawn.count(on) != drawn.count(off):
            fail(f"{on!r} was not taken back", terminal.seen)
    text = STEERS.sub("", last.decode())
    for line in text.splitlines():
        if columns_of(line) > COLUMNS and status == 0:
            fail(f"a line of {columns_of(line)} columns: {line!r}", terminal.seen)
    if "\033[?" in last.decode():
        fail("it steers the terminal at the end", terminal.seen)
    print(text, end="")


main()
