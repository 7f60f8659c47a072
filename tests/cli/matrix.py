# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests every verb and form of output of stint with every kind of bad file: at most one line for each, exit code 1 or 2, no crash, no
hang. matrix --all tries all of it, which takes minutes; otherwise it tries another selection each day, which STINT_TEST_DAY=DAY makes
again."""

import concurrent.futures
import copy
import json
import os
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.abspath(os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "../..")))
STINT = os.path.abspath(os.environ.get("STINT", "reports/stint"))
DATA = f"{SOURCE}/tests/data"
ALL = "--all" in sys.argv
LIMIT_S = 60 # a hanging run has no end; a run that is slow next to other work has one
SHOWN = 5
DAY = int(os.environ.get("STINT_TEST_DAY", time.time() // 86400))

# A sanitizer that finds something exits with a code that stint does not use.
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC0")
for sanitizer in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    ENVIRONMENT[sanitizer] = os.environ.get(sanitizer, "print_stacktrace=1") + ":exitcode=99:detect_leaks=0"

# FILE is the bad file, GOOD a good report.
FORMS = [form.split() for form in (
    "report FILE", "report --all --color=always FILE", "report --json FILE", "report --seff FILE", "report --attempt=1 FILE",
    "report --table FILE", "report --table --sort=-peak --json FILE", "report --csv FILE", "report --by=rule FILE",
    "report --by=process --json FILE", "report --by=rule --csv FILE", "report --html=- FILE", "report --html=page.html FILE",
    "report --html FILE", "timeline FILE", "timeline --by=process --all FILE", "timeline --by=step --from=1 --to=1m FILE",
    "timeline --trace=- FILE", "timeline --trace FILE", "compare FILE GOOD", "compare GOOD FILE", "compare --all FILE FILE",
    "compare --json GOOD FILE", "export --js1 FILE", "export --js1 --json FILE")]
TABLES = [form for form in FORMS if form[1] in ("--table", "--csv", "--by=rule")]

VALUES = [None, True, -1, 2**63 - 1, 1e308, "", "\x1b[2J\u202e\n" + "x" * 300, [], {}, [None, [], {}, "x", 3], {"name": {"name": []}}]


# ---- running ----

def run(form, bad, good):
    """Returns the exit code, what was written to standard error, and how much to standard output."""
    arguments = [word.replace("FILE", bad).replace("GOOD", good) for word in form]
    with tempfile.TemporaryDirectory(dir=".") as here: # output files stay there
        try:
            done = subprocess.run([STINT, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S,
                                  cwd=here, env=ENVIRONMENT, check=False)
        except subprocess.TimeoutExpired:
            return "a hang", b"", b""
    return done.returncode, done.stderr, done.stdout


def faults(form, result, codes):
    """Returns what is wrong with the run, in words."""
    code, errors, out = result
    lines = errors.count(b"\n")
    most = 2 if form[-2:] == ["FILE", "FILE"] else 1
    if code not in codes:
        yield f"exit code {code}, and not of {codes}"
    if lines > most:
        yield f"{lines} lines"
    if code not in (0, "a hang") and (lines < 1 or not errors.endswith(b"\n")):
        yield "no whole line says why"
    if b"\x1b[2J" in errors + out or any(byte < 32 and byte != 10 for byte in errors):
        yield "a control sequence comes through"


def try_all(cases):
    """Runs each (name, form, file, exit codes). Returns what is wrong, and prints the first errors."""
    good = f"{DATA}/example/stint-1.json"
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = pool.map(lambda case: run(case[1], os.path.abspath(case[2]), good), cases)
        for (name, form, _, codes), result in zip(cases, results):
            found = list(faults(form, result, codes))
            if found:
                wrong.append(f"{name}: stint {' '.join(form)}: {', '.join(found)}: {result[1][:300]!r}")
    for line in wrong[:SHOWN]:
        print(f"# {line}")
    return wrong


def write(name, content):
    with open(name, "wb") as out:
        out.write(content if isinstance(content, bytes) else json.dumps(content).encode())
    return name


def text_of(path):
    with open(path, "rb") as report:
        return report.read()


def spread(things, count):
    """Returns this many of them, with the first and the last; all if all are wanted."""
    return list(things) if ALL or len(things) <= count else [things[i * (len(things) - 1) // (count - 1)] for i in range(count)]


def of_today(things, part):
    """Returns one in @part of them, others each day; all if all are wanted."""
    return [thing for number, thing in enumerate(things) if ALL or (number + DAY) % part == 0]


# ---- the tests ----

def test_no_report():
    """empty, blank, not JSON, binary, deep, huge, foreign, of a newer version, a directory, a FIFO, a device, missing"""
    report = json.loads(text_of(f"{DATA}/example/stint-1.json"))
    deep = b"[" * 100000
    bad = [
        write("empty.json", b""), write("blank.json", b" \n \n"), write("text.json", b"Job ID: 1\nState: COMPLETED\n"),
        write("binary.json", bytes(range(256)) * 64), write("zeros.json", bytes(100000)), write("deep.json", deep),
        write("deep-inside.json", b'{"schema": "stint-report/1", "gaps": ' + deep + b"]" * 100000 + b"}"),
        write("list.json", b"[1, 2, 3]"), write("number.json", b"4"), write("object.json", b"{}"), write("twice.json", b"{}{}"),
        write("newer.json", dict(report, schema="stint-report/2")), write("oldest.json", dict(report, schema="stint-report/")),
        write("record.json", text_of(f"{DATA}/record-one.json")), write("no-utf8.json", b'{"schema": "\xff\xfe"}'),
        write("steering.json", {"schema": "stint-report/\x1b[2J"}), "missing.json", "/dev/null", "/dev/zero", "directory", "fifo"]
    os.mkdir("directory")
    os.mkfifo("fifo")
    with open("huge.json", "wb") as out:
        out.truncate(1 << 40)
    bad.append("huge.json")
    # 25 forms of 22 files: each form meets each third of the files today
    return try_all(of_today([(name, form, name, (1, 2)) for form in FORMS for name in bad], 3)) + configurations(bad)


def configurations(bad):
    """As stint.conf, a strange file is named in one line and takes no report from users; an empty one has no settings."""
    good = f"{DATA}/example/stint-1.json"
    wrong = []
    for name in bad:
        empty = name in ("empty.json", "blank.json", "list.json", "/dev/null")
        code, errors, out = run(["report", "--config=FILE", "GOOD"], os.path.abspath(name), good)
        if errors.count(b"\n") != (not empty) or code not in ((0,) if empty else (0, 1)) or bool(out) != (code == 0):
            wrong.append(f"report --config={name}: exit code {code}: {errors[:300]!r}")
        code, errors, out = run(["doctor", "--config=FILE"], os.path.abspath(name), good)
        if not empty and (code != 1 or errors.count(b"\n") + out.count(b"\nFAIL  stint.conf: ") != 1):
            wrong.append(f"doctor --config={name}: exit code {code}: {errors[:300]!r} {out[:300]!r}")
    for line in wrong[:SHOWN]:
        print(f"# {line}")
    return wrong


def test_cut():
    """a report that is cut anywhere, also where something in it ends"""
    cases = []
    for source in ("example/stint-1.json", "timeline/report.json"):
        text = text_of(f"{DATA}/{source}").rstrip()
        brackets = [at for at in range(1, len(text)) if text[at - 1] == ord("}")]
        for number, at in enumerate(spread(range(1 + DAY % 50, len(text)), 30) + spread(brackets[DAY % 3:], 30)):
            name = write(f"cut-{len(cases)}.json", text[:at])
            cases.append((f"{source} cut at {at}", FORMS[(number + DAY) % len(FORMS)], name, (1, 2)))
            if text[at - 1] == ord("}"): # of which a table reads only begin and end
                cases.append((f"{source} cut at {at}", TABLES[number % len(TABLES)], name, (1, 2)))
    return try_all(cases)


def places(value, path=()):
    """Yields each place in a report; in a list only the first and the last element."""
    if path:
        yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], path + (name,))
    elif isinstance(value, list):
        for i in sorted({0, len(value) - 1} if value else ()):
            yield from places(value[i], path + (i,))


def changed(report, path, value):
    made = copy.deepcopy(report)
    at = made
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return made


def of_other_types(reports):
    """Yields the first place of each kind in any of the reports, with possible replacements."""
    seen = set()
    for source in reports:
        report = json.loads(text_of(f"{DATA}/{source}"))
        for path in places(report):
            kind = tuple("" if isinstance(step, int) else step for step in path)
            if kind not in seen:
                seen.add(kind)
                yield source, report, path


def test_types():
    """another type in every place of a report: the report is refused with one line, or shown without it"""
    sources = ["timeline/report.json", "example/stint-7.json", "views/oom.json", "report-nodes.json", "views/array.json"]
    cases = []
    for number, (source, report, path) in enumerate(of_other_types(sources)):
        for turn in range(len(VALUES) if ALL else 1):
            value = VALUES[(number + turn + DAY) % len(VALUES)]
            name = write(f"type-{number}-{turn}.json", changed(report, path, value))
            where = f"{source}: {'.'.join(map(str, path))} = {str(value)[:40]!r}"
            forms = FORMS if ALL else [FORMS[(number * 7 + DAY) % len(FORMS)]]
            cases += [(where, form, name, (0, 1)) for form in forms]
    assert len(cases) > 150, len(cases)
    return try_all(cases)


def test_many():
    """a directory of bad files and one report: one line for each, and the report is shown"""
    os.mkdir("many")
    text = text_of(f"{DATA}/example/stint-1.json")
    write("many/stint-1.json", text)
    for number in range(2, 40):
        write(f"many/stint-{number}.json", text[:len(text) * (number - 2) // 40])
    os.mkfifo("many/stint-40.json")
    os.mkdir("many/stint-41.json")
    os.symlink("/dev/zero", "many/stint-42.json")
    os.symlink("nowhere", "many/stint-43.json")
    wrong = []
    for form in (["report", "FILE"], ["report", "--table", "FILE"], ["report", "--by=rule", "FILE"], ["export", "--js1", "FILE"]):
        code, errors, out = run(form, os.path.abspath("many"), "")
        if code != 1 or errors.count(b"\n") not in (41, 42) or not out:
            wrong.append(f"{form}: exit code {code}, {errors.count(10)} lines, {len(out)} bytes of output")
            print(f"# {wrong[-1]}")
    return wrong


def main():
    tests = [one for name, one in globals().items() if name.startswith("test_")]
    failed = 0
    print(f"1..{len(tests)}\n# of day {DAY}; STINT_TEST_DAY={DAY} makes the same again", flush=True)
    with tempfile.TemporaryDirectory(prefix="stint-matrix.") as directory:
        os.chdir(directory)
        for number, test in enumerate(tests, 1):
            wrong = test()
            failed += bool(wrong)
            print(f"{'not ' if wrong else ''}ok {number} - {test.__doc__}", flush=True)
            if wrong:
                print(f"# {len(wrong)} in all")
        os.chdir("/")
    sys.exit(failed > 0)


main()
