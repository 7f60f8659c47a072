# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares stint's summaries of a large store with GROUP BY in plain SQL and in DuckDB, and shows how they grow with the number of jobs.

Real lines of a year are ingested. Then SQL copies the jobs' rows inside the database: with other job ids, ten times as many users, and
other names of jobs. The rollups get rows for these users, too. Their sums stay as they are, so only questions to the jobs' rows count
all jobs."""
import argparse
import csv
import json
import os
import platform
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import store_lines
from store_site import Postgres, Site, run

BASE = 10000  # jobs that are ingested
YEAR = 360 * 86400
COPY_ID = 10000000  # added to the job ids of each copy
USERS, USER_ID = 10, 100000  # copies of the users, and what is added to their numbers
BYTES, MORE_BYTES = 2000, 3 * 10 ** 9  # of disk: for each job, and in any case
MONTH = ("--since", "2026-03-01", "--until", "2026-04-01")
MONTH_US = (1772323200000000, 1775001600000000)
OWN = "u0001"
DUCKDB = "1.5.6-r.1"
THREADS = str(os.cpu_count())
ROUNDS, LARGE = 3, 2000000  # each question so often, and once from so many jobs on
WEEK = {"SQLite": "strftime('%Y%W', end_us / 1000000, 'unixepoch')", "PostgreSQL": "date_trunc('week', to_timestamp(end_us / 1000000))",
        "DuckDB": "date_trunc('week', make_timestamp(end_us))"}
# what it is, options of stint, columns of GROUP BY, condition
QUESTIONS = (
    ("by week (rollup)", ("--by", "week"), "WEEK", ""),
    ("by user (rollup)", ("--by", "user"), "user_id", ""),
    ("by job name", ("--by", "job-name"), "job_name", ""),
    ("by user and job name", ("--by", "user,job-name"), "user_id, job_name", ""),
    ("by verdict and state", ("--by", "verdict,state"), "verdict, state_id", ""),
    ("by user, state and job name", ("--by", "user,state,job-name"), "user_id, state_id, job_name", ""),
    ("by user, of failed jobs", ("--by", "user", "--where", "state=FAILED"), "user_id", "state_id = STATE"),
    ("one user's month", ("--by", "job-name", "--where", f"user={OWN}", *MONTH), "job_name",
     f"cluster = 1 AND user_id = OWN AND end_us >= {MONTH_US[0]} AND end_us < {MONTH_US[1]}"),
)
BATCHES = ((5, 3000), (256, 10000))  # lines of a batch, lines


def sizes(text):
    """Reads "100000,1000000"; an empty list for "0"."""
    found = sorted({int(word) for word in text.split(",")} - {0})
    if any(size < 2 * BASE for size in found):
        raise argparse.ArgumentTypeError(f"{2 * BASE} jobs at least")
    return found


def calibration():
    """CPU seconds of a loop that does nothing with files."""
    return run([sys.executable, "-c", "sum(i * i % 7 for i in range(6000000))"])[1]


class SQLite:
    name = "SQLite"

    def __init__(self, site):
        self.site = site
        self.db = sqlite3.connect(site.database, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = OFF")
        self.db.execute("PRAGMA synchronous = OFF")
        self.db.execute("PRAGMA cache_size = -262144")
        self.db.execute("PRAGMA temp_store = MEMORY")

    def rows(self, sql):
        return self.db.execute(sql).fetchall()

    def tables(self):
        return [row[0] for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'job_20*' ORDER BY name")]

    def columns(self, table):
        return [row[1] for row in self.rows(f"PRAGMA table_info({table})")]

    def copies(self, first, end):
        return f"WITH RECURSIVE copies(k) AS (SELECT {first} UNION ALL SELECT k + 1 FROM copies WHERE k + 1 < {end})", "copies"

    def finish(self):
        self.rows("PRAGMA wal_checkpoint")

    def size(self):
        return os.path.getsize(self.site.database)

    def plain(self, sql):
        begin, before = time.monotonic(), time.process_time()
        count = len(self.rows(sql))
        return time.monotonic() - begin, time.process_time() - before, count

    def stint(self, options):
        return run([self.site.stint, "summary", "--site", f"{self.site.place}/site.conf", *options, "--csv"])


def ended_cpu(server):
    """CPU seconds of the server's processes that have ended: those of sessions."""
    with open(f"{server.place}/data/postmaster.pid", encoding="utf-8") as file:
        pid = int(file.readline())
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[13:15]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def with_server(server, command):
    """As run(), with the CPU time of the server's sessions."""
    before = ended_cpu(server)
    wall, cpu, text = run(command)
    time.sleep(0.3)  # until the server has taken note of the session's end
    return wall, cpu + ended_cpu(server) - before, text


class PostgreSQL:
    name = "PostgreSQL"

    def __init__(self, site, server, where):
        self.site, self.server, self.where = site, server, where
        with open(f"{site.place}/site.conf", encoding="utf-8") as file:
            text = file.read()
        with open(f"{site.place}/own.conf", "w", encoding="utf-8") as file:
            file.write(text.replace("user=tester", f"user={OWN}"))
        os.chmod(f"{site.place}/own.conf", 0o640)

    def rows(self, sql):
        done = subprocess.run([f"{self.server.bin}/psql", self.where, "-X", "-q", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql],
                              check=True, capture_output=True, text=True)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def tables(self):
        return [row[0] for row in self.rows("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'job\\_20%' ORDER BY 1")]

    def columns(self, table):
        return [row[0] for row in self.rows(f"SELECT attname FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0 "
                                            "AND NOT attisdropped ORDER BY attnum")]

    def copies(self, first, end):
        return "", f"generate_series({first}, {end - 1}) AS copies(k)"

    def finish(self):
        self.rows("VACUUM ANALYZE")
        self.rows("CHECKPOINT")

    def size(self):
        return self.server.size(self.where)

    def plain(self, sql):
        wall, cpu, text = with_server(self.server, [f"{self.server.bin}/psql", self.where, "-X", "-q", "-At", "-c", sql])
        return wall, cpu, len(text.splitlines())

    def stint(self, options, conf="site.conf"):
        return with_server(self.server, [self.site.stint, "summary", "--site", f"{self.site.place}/{conf}", *options, "--csv"])


# ---- the rows ----

def copy_users(engine):
    """Names of more users, and rows for them in the rollups."""
    with_copies, copies = engine.copies(1, USERS)
    engine.rows(f"{with_copies} INSERT INTO name (cluster, kind, text, id) SELECT cluster, kind, text || '-' || k, id + {USER_ID} * k "
                f"FROM name CROSS JOIN {copies} WHERE kind = 0")
    for table in ("job_day", "job_month", "core_day", "tool_user_month"):
        columns = engine.columns(table)
        values = ", ".join(f"user_id + {USER_ID} * k" if name == "user_id" else name for name in columns)
        engine.rows(f"{with_copies} INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} CROSS JOIN {copies}")


def copy_jobs(engine, first, end):
    """Adds the copies from @first to @end - 1 of the ingested jobs."""
    changed = {"job_id": f"job_id + {COPY_ID} * k", "user_id": f"user_id + {USER_ID} * (k % {USERS})", "job_name": "job_name || '-' || k"}
    with_copies, copies = engine.copies(first, end)
    for table in engine.tables():
        columns = engine.columns(table)
        values = ", ".join(changed.get(name, name) for name in columns)
        engine.rows(f"CREATE TABLE base AS SELECT * FROM {table} WHERE job_id < {COPY_ID}")
        engine.rows(f"{with_copies} INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {copies} CROSS JOIN base")
        engine.rows("DROP TABLE base")
    engine.finish()


# ---- the questions ----

def measures_of(engine):
    columns = engine.columns(engine.tables()[0])
    return columns[columns.index("elapsed_ms"):columns.index("oom_kills") + 1]


def plain_sql(engine_name, source, keys, where, measures):
    keys = keys.replace("WEEK", WEEK[engine_name])
    sums = ", ".join(f"sum({name})" for name in measures)
    return f"SELECT {keys}, count(*), {sums} FROM {source} {where} GROUP BY {keys}"


def source_of(engine, keys, condition, measures):
    """The months' tables as one, with the columns that are needed."""
    words = sorted(set(keys.replace("WEEK", "end_us").split(", ")) | set(measures))
    where = f"WHERE {condition}" if condition else ""
    return "(" + " UNION ALL ".join(f"SELECT {', '.join(words)} FROM {table} {where}" for table in engine.tables()) + ") AS jobs"


def median_of(measured):
    return [statistics.median(one[i] for one in measured) for i in range(2)]


def jobs_in(text):
    """The sum of the column "jobs"."""
    return sum(int(row["jobs"]) for row in csv.DictReader(text.splitlines()))


def ask(engine, question, condition, rounds, size):
    """[wall, CPU] of stint, or None if it does not know the question, and of plain SQL"""
    name, options, keys, _ = question
    measures = measures_of(engine)
    sql = plain_sql(engine.name, source_of(engine, keys, condition, measures), keys, "", measures)
    own = {"conf": "own.conf"} if engine.name == "PostgreSQL" and "month" in name else {}
    stint, plain = [], []
    for _ in range(rounds):
        try:
            stint.append(engine.stint(options, **own))
        except subprocess.CalledProcessError as why:
            print(f"{name}: {why.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            return None, median_of([engine.plain(sql)])
        plain.append(engine.plain(sql))
    if name == "by job name" and jobs_in(stint[0][2]) != size:
        raise SystemExit(f"bench: stint counts {jobs_in(stint[0][2])} jobs of {size}")
    return median_of(stint), median_of(plain)


def seconds(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def cell(measured):
    return f"{seconds(measured[1])} / {seconds(measured[0])}" if measured else "-"


def ratio(one, other):
    return f"{one[1] / max(other[1], 0.001):.2f} / {one[0] / max(other[0], 0.001):.2f}" if one and other else "-"


def ask_all(engine, size, duck=None):
    """Prints a table; returns what stint took for each question."""
    own = engine.rows(f"SELECT id FROM name WHERE kind = 0 AND text = '{OWN}'")[0][0]
    state = engine.rows("SELECT id FROM name WHERE kind = 4 AND text = 'FAILED'")[0][0]
    rounds, took = (ROUNDS if size < LARGE else 1), {}
    print(f"\n{engine.name}, {size} jobs: CPU / elapsed seconds; ratios of these\n")
    print("| question | stint | plain SQL | DuckDB | stint : plain SQL | stint : DuckDB |\n|---|---|---|---|---|---|")
    for question in QUESTIONS:
        condition = question[3].replace("OWN", str(own)).replace("STATE", str(state))
        stint, plain = ask(engine, question, condition, rounds, size)
        there = duck.ask(question[2], condition, measures_of(engine), rounds) if duck else None
        cells = question[0], cell(stint), cell(plain), cell(there), ratio(stint, plain), ratio(stint, there)
        print(f"| {' | '.join(cells)} |", flush=True)
        took[question[0]] = stint
    return took


# ---- DuckDB ----

class Duck:
    """DuckDB with a table of the jobs' columns that questions have; npm fetches it."""

    def __init__(self, source, work):
        self.script, self.modules, self.file = f"{source}/tests/bench/store_duckdb.mjs", f"{work}/npm/node_modules", f"{work}/jobs.duckdb"
        os.mkdir(f"{work}/npm")
        install = ["timeout", "100", "npm", "install", "--prefix", f"{work}/npm", "--cache", f"{work}/npm/cache", "--no-audit",
                   "--no-fund", "--fetch-retries=0", f"@duckdb/node-api@{DUCKDB}"]
        self.there = bool(shutil.which("npm") and shutil.which("sqlite3")) and \
            subprocess.run(install, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        if not self.there:
            print("without DuckDB: npm could not install it")

    def run(self, *statements, stdin=None):
        done = subprocess.run(["node", self.script, self.modules, self.file, THREADS, *statements], stdin=stdin, check=True,
                              capture_output=True, text=True)
        return json.loads(done.stdout)

    def load(self, engine):
        measures = measures_of(engine)
        columns = ["cluster", "user_id", "state_id", "verdict", "end_us", "job_name", *measures]
        types = ", ".join(f"'{name}': '{'VARCHAR' if name == 'job_name' else 'BIGINT'}'" for name in columns)
        if os.path.exists(self.file):
            os.unlink(self.file)
        query = " UNION ALL ".join(f"SELECT {', '.join(columns)} FROM {table}" for table in engine.tables())
        with subprocess.Popen(["sqlite3", "-readonly", "-csv", engine.site.database, query], stdout=subprocess.PIPE) as rows:
            self.run("CREATE TABLE jobs AS FROM read_csv('/dev/stdin', header = false, auto_detect = false, delim = ',', quote = '\"', "
                     f"escape = '\"', columns = {{{types}}})", stdin=rows.stdout)

    def size(self):
        return os.path.getsize(self.file)

    def ask(self, keys, condition, measures, rounds):
        where = f"WHERE {condition}" if condition else ""
        sql = plain_sql("DuckDB", "jobs", keys, where, measures)
        return median_of(self.run(*[sql] * (rounds + 1))[1:])  # the first one also reads the file


# ---- all of it ----

def measure_growth(engine, wanted, duck=None):
    """Asks all questions at each size."""
    copy_users(engine)
    copies, before, took = 1, engine.size(), {}
    for size in wanted:
        end = size // BASE
        copy_jobs(engine, copies, end)
        copies = end
        if duck:
            duck.load(engine)
        took[size] = ask_all(engine, end * BASE, duck)
        print(f"\n{(engine.size() - before) / (BASE * (end - 1)):.0f} bytes of the database for each job's row and its indexes"
              + (f"; DuckDB: {duck.size() / size:.0f}, of the columns that questions have" if duck else ""))
    for name in (question[0] for question in QUESTIONS if len(wanted) > 1):
        first, last = took[wanted[0]][name], took[wanted[-1]][name]
        if first and last:
            print(f"  {name}: {wanted[-1] / wanted[0]:.0f} x the jobs take {last[1] / max(first[1], 0.001):.1f} x the CPU time")


def measure_batches(build, work, line, server=None):
    print(f"ingest into {'PostgreSQL' if server else 'SQLite'}")
    for lines, count in BATCHES:
        where = None
        if server:
            server.call("createdb", "-h", server.place, "-U", "tester", f"batches{lines}")
            where = f"postgresql:///batches{lines}?host={server.place}&user=tester"
        place = f"{work}/batches{lines}"
        if not os.path.exists(place):
            store_lines.write_batches(store_lines.Cluster(line), place, count, 30 * 86400, lines)
        with tempfile.TemporaryDirectory(dir=work) as own:
            os.chmod(own, 0o755)
            before = calibration()
            site = Site(build, f"{own}/site", place, where)
            _, cpu, _ = with_server(server, site.ingest_command()) if server else site.ingest()
            loop = (before + calibration()) / 2
        print(f"  batches of {lines}: {count / cpu:.0f} lines a second of CPU time; the calibration loop takes {loop:.2f} s, "
              f"as long as {loop * count / cpu:.0f} lines", flush=True)


def measure_postgres(build, work, line, wanted):
    settings = "-c autovacuum=off -c fsync=off -c max_wal_size=1GB"
    with Postgres(f"{work}/postgres", settings) as where:
        if not where:
            return
        server = Postgres(f"{work}/postgres")
        psql = [f"{server.bin}/psql", where, "-X", "-q", "-c"]
        subprocess.run([*psql, f"CREATE ROLE stint_reader NOLOGIN; CREATE ROLE {OWN} LOGIN IN ROLE stint_reader"], check=True)
        measure_batches(build, work, line, server)
        site = Site(build, f"{work}/postgresql", f"{work}/store", where)
        site.ingest()
        measure_growth(PostgreSQL(site, server, where), wanted)
    shutil.rmtree(f"{work}/postgres")


def measure_sqlite(build, work, line, wanted, duck):
    measure_batches(build, work, line)
    site = Site(build, f"{work}/sqlite", f"{work}/store")
    site.ingest()
    measure_growth(SQLite(site), wanted, duck if duck.there else None)
    shutil.rmtree(site.place)


def measure(build, source, options):
    """@options: work, the directory for all files; scale, the numbers of jobs; engines"""
    wanted = options.scale
    with tempfile.TemporaryDirectory(prefix="stint-scale.", dir=options.work) as work:
        needed = BYTES * wanted[-1] + MORE_BYTES
        if shutil.disk_usage(work).free < needed:
            raise SystemExit(f"bench: {options.work} needs {needed / 1e9:.0f} GB")
        os.chmod(work, 0o755)
        print(f"stores of {', '.join(map(str, wanted))} jobs; {os.cpu_count()} processors, Linux {platform.release()}, "
              f"load {os.getloadavg()[0]:.1f}, {time.strftime('%Y-%m-%d')}, calibration loop {calibration():.2f} s")
        line = store_lines.template(build, source, work)
        store_lines.write_batches(store_lines.Cluster(line), f"{work}/store", BASE, YEAR)
        if "sqlite" in options.engines:
            measure_sqlite(build, work, line, wanted, Duck(source, work))
        if "postgresql" in options.engines:
            measure_postgres(build, work, line, wanted)
