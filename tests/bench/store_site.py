# SPDX-License-Identifier: GPL-2.0-or-later
"""A site of the bench's own: its store, its database, and a server for that."""
import os
import pwd
import resource
import shutil
import subprocess
import time


def run(command):
    """Wall and CPU seconds, and what was printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text


def out_of_memory_cache(directory):
    """Drops the files' clean pages from the page cache."""
    os.sync()
    for place, _, names in os.walk(directory):
        for name in names:
            fd = os.open(f"{place}/{name}", os.O_RDONLY)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)


class Site:
    """A site.conf with its store and its database, in a directory of its own."""

    def __init__(self, build, place, store, database=None):
        self.stint, self.place = f"{build}/reports/stint", place
        os.makedirs(f"{place}/archive")
        shutil.copytree(store, f"{place}/store")
        self.database = f"{place}/db.sqlite"
        with open(f"{place}/site.conf", "w", encoding="utf-8") as file:
            file.write(f"database = {database or self.database}\nstore_dir = {place}/store\narchive_dir = {place}/archive\n"
                       "time_zone = UTC\n")
        os.chmod(f"{place}/site.conf", 0o640)

    def ingest_command(self):
        return [self.stint, "ingest", "--config", "/dev/null", "--site", f"{self.place}/site.conf"]

    def ingest(self):
        return run(self.ingest_command())

    def summary(self, *options):
        return run([self.stint, "summary", "--site", f"{self.place}/site.conf", *options])


class Postgres:
    """A server of our own; None if PostgreSQL is not installed."""

    def __init__(self, place, options=""):
        self.place, self.options = place, options
        found = subprocess.run("ls -d $(pg_config --bindir 2>/dev/null) /usr/lib/postgresql/*/bin 2>/dev/null | head -n 1",
                               shell=True, capture_output=True, text=True, check=False).stdout.strip()
        self.bin = found if os.path.exists(f"{found}/initdb") else None
        self.user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "env", "HOME=/"] if os.geteuid() == 0 else []

    def __enter__(self):
        if not self.bin:
            return None
        os.mkdir(self.place)
        if self.user:
            os.chown(self.place, pwd.getpwnam("nobody").pw_uid, -1)
        self.call("initdb", "-D", f"{self.place}/data", "-A", "trust", "-U", "tester", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        self.call("pg_ctl", "-D", f"{self.place}/data", "-w", "-l", f"{self.place}/log", "-o",
                  f"-c listen_addresses= -c unix_socket_directories={self.place} {self.options}", "start")
        self.call("createdb", "-h", self.place, "-U", "tester", "bench")
        return f"postgresql:///bench?host={self.place}&user=tester"

    def __exit__(self, *_):
        if self.bin:
            self.call("pg_ctl", "-D", f"{self.place}/data", "-m", "immediate", "-w", "stop")

    def call(self, program, *arguments):
        subprocess.run([*self.user, f"{self.bin}/{program}", *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def size(self, where, what="pg_database_size(current_database())"):
        done = subprocess.run([f"{self.bin}/psql", where, "-Atc", f"SELECT {what}"], check=True, capture_output=True, text=True)
        return int(done.stdout)
