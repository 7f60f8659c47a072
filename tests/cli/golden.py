# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of stint report as people see it: tests/data/golden has it for several reports, widths and terminals.

reports_golden           compares, and prints TAP
reports_golden --update  writes what stint prints now: look at the difference before you commit it

Run in the build directory, with srcdir set to the source where that is another; $STINT is the command.
"""
import fcntl
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import termios
import unicodedata

SOURCE = pathlib.Path(os.environ.get("srcdir", pathlib.Path(__file__).resolve().parent.parent.parent))
STINT = os.environ.get("STINT", "reports/stint")
DATA = SOURCE / "tests/data"
GOLDEN = DATA / "golden"
WIDTHS = (60, 80, 120)
# name, locale, options
SHOWN = {
    "utf8": ("C.UTF-8", ()),
    "ascii": ("C", ()),
    "colour": ("C.UTF-8", ("--color=always",)),
    "ascii-colour": ("C", ("--color=always",)),
}
COLOURS = re.compile(r"\033\[(?:0|1|2|31|32|33|36|1;31)m")
SCREEN_LINES = 42  # a job of one step and one finding: a screen, and the line of the command


def environment(locale, **more):
    env = {"PATH": os.environ["PATH"], "LC_ALL": locale, "TZ": "UTC0", **more}
    for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            env[name] = os.environ[name]
    return env


def report_path(name):
    return DATA / f"report-{name}.json"


REPORTS = sorted(path.stem.removeprefix("report-") for path in DATA.glob("report-*.json"))


def stint(*options, locale="C.UTF-8", **more):
    done = subprocess.run([STINT, "report", *options], env=environment(locale, **more), capture_output=True)
    if done.returncode:
        raise AssertionError(f"stint report {options}: {done.stderr.decode()}")
    return done.stdout.decode()


def on_terminal(*options, columns=0, rows=500, locale="C.UTF-8", **more):
    """Returns what it writes to a terminal of this width; 0: to one that does not know its width."""
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    attributes = termios.tcgetattr(slave)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    process = subprocess.Popen([STINT, "report", *options], env=environment(locale, **more), stdin=subprocess.DEVNULL,
                               stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    text = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        text += part
    os.close(master)
    assert process.wait() == 0
    return text.decode()


def columns_of(line):
    """Returns the width on a terminal, by another table of characters than the tested one."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def plain(text):
    return COLOURS.sub("", text)


def cases():
    for name in REPORTS:
        for width in WIDTHS:
            for shown in SHOWN:
                if shown in ("utf8", "colour") or width == 80:
                    yield name, width, shown


def print_case(name, width, shown):
    locale, options = SHOWN[shown]
    return stint(*options, f"--width={width}", str(report_path(name)), locale=locale)


def golden_path(name, width, shown):
    return GOLDEN / f"{name}-{width}-{shown}.txt"


def update():
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.txt"):
        path.unlink()
    for case in cases():
        golden_path(*case).write_text(print_case(*case))
    for name in REPORTS:
        (GOLDEN / f"{name}-all.txt").write_text(stint("--all", str(report_path(name))))
        (GOLDEN / f"{name}-seff.txt").write_text(stint("--seff", str(report_path(name))))


# ---- tests ----

def equal(got, expected, what):
    if got == expected:
        return
    for number, (one, other) in enumerate(zip(got.split("\n") + [""], expected.split("\n") + [""]), 1):
        assert one == other, f"{what}, line {number}: {one!r} is not {other!r}"
    raise AssertionError(f"{what}: {len(got)} characters, not {len(expected)}")


def the_page_is_as_it_was_when_somebody_looked_at_it():
    wanted = {golden_path(*case).name for case in cases()}
    wanted |= {f"{name}-{kind}.txt" for name in REPORTS for kind in ("all", "seff")}
    assert {path.name for path in GOLDEN.glob("*.txt")} == wanted
    for case in cases():
        equal(print_case(*case), golden_path(*case).read_text(), golden_path(*case).name)
    for name in REPORTS:
        for kind in ("all", "seff"):
            equal(stint(f"--{kind}", str(report_path(name))), (GOLDEN / f"{name}-{kind}.txt").read_text(),
                  f"{name}-{kind}.txt")


def no_line_is_wider_than_the_page_and_none_ends_in_a_space():
    for name in REPORTS:
        for width in (60, 67, 80, 99, 120):
            for options in (), ("--color=always",), ("--all",):
                for locale in "C.UTF-8", "C":
                    text = stint(*options, f"--width={width}", str(report_path(name)), locale=locale)
                    for line in plain(text).split("\n"):
                        assert columns_of(line) <= width, f"{name}, {width}, {options}: {line!r}"
                        assert not line.endswith(" "), f"{name}, {width}, {options}: {line!r}"
                    if locale == "C":
                        assert text.isascii(), f"{name}, {width}, {options}"


def without_its_colours_the_page_is_what_a_terminal_without_colour_gets():
    for name in REPORTS:
        for locale in "C.UTF-8", "C":
            path = str(report_path(name))
            colour = stint("--color=always", "--width=100", path, locale=locale)
            assert colour != plain(colour)
            equal(plain(colour), on_terminal("--width=100", path, locale=locale, TERM="xterm", NO_COLOR="1"), name)
            equal(plain(colour), on_terminal("--width=100", path, locale=locale, TERM="dumb"), name)
            equal(plain(colour), on_terminal("--width=100", "--color=never", path, locale=locale, TERM="xterm"), name)
            equal(colour, on_terminal("--width=100", path, locale=locale, TERM="xterm"), name)
            equal(colour, on_terminal("--width=100", path, locale=locale, TERM="xterm", NO_COLOR=""), name)
            # only bars differ from what a pipe gets
            piped = stint("--width=100", path, locale=locale)
            equal(stint("--color=auto", "--width=100", path, locale=locale, TERM="xterm"), piped, name)
            equal(stint("--color=never", "--width=100", path, locale=locale), piped, name)
            assert "\033" not in piped


def every_colour_is_ended_on_its_line_and_nothing_else_steers():
    for name in REPORTS:
        text = stint("--color=always", "--all", str(report_path(name)))
        for line in text.split("\n"):
            found = COLOURS.findall(line)
            assert all(one != "\033[0m" for one in found[::2]) and all(one == "\033[0m" for one in found[1::2]), repr(line)
            assert len(found) % 2 == 0, repr(line)
            assert not [c for c in plain(line) if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")], repr(line)


def the_width_is_the_terminals_and_80_columns_in_a_pipe():
    path = str(report_path("pipeline"))
    for columns in 60, 97, 120:
        equal(on_terminal(path, columns=columns, TERM="dumb"), on_terminal(f"--width={columns}", path, TERM="dumb"),
              str(columns))
    equal(on_terminal(path, columns=97, TERM="dumb", COLUMNS="120"), on_terminal("--width=97", path, TERM="dumb"), "97")
    equal(on_terminal(path, columns=20, TERM="dumb"), on_terminal("--width=60", path, TERM="dumb"), "20")
    equal(on_terminal(path, TERM="dumb", COLUMNS="97"), on_terminal("--width=97", path, TERM="dumb"), "COLUMNS")
    for wrong in "wide", "-5", "0", "":
        equal(on_terminal(path, TERM="dumb", COLUMNS=wrong), on_terminal("--width=80", path, TERM="dumb"), wrong)
    equal(stint(path, COLUMNS="120"), stint("--width=80", path), "pipe")


def a_usual_job_is_one_screen_and_says_what_is_left_out():
    for name in "pipeline",:
        text = stint("--color=always", str(report_path(name)))
        assert text.count("\n") <= SCREEN_LINES, text.count("\n")
        assert plain(text).split("\n")[-2].endswith("--all shows all."), text[-300:]
        assert stint("--all", str(report_path(name))).count("\n") > text.count("\n")


def a_page_that_is_longer_than_the_terminal_ends_behind_what_most_want_to_know():
    for name in REPORTS:
        path = str(report_path(name))
        whole = plain(on_terminal(path, columns=80))
        lines, first = whole.count("\n"), whole.index("Job ID: ")
        assert plain(on_terminal(path, columns=80, rows=lines + 1)) == whole, name  # with the shell's line after it
        short = plain(on_terminal(path, columns=80, rows=lines))
        more = whole[first:].count("\n")
        assert short == whole[:first] + f"{more} more lines: --all shows them, and so does a pipe (| less).\n", (name, short)
        assert plain(on_terminal("--all", path, columns=80, rows=lines)) == plain(on_terminal("--all", path, columns=80)), name
        assert plain(on_terminal(path, columns=80, rows=0)) == whole, name  # it does not say how many it has


def a_job_that_failed_at_once_has_no_bars(work):
    report = json.loads(report_path("pipeline").read_text())
    report["job"].update(state="FAILED", exit_code=1)
    for seconds, bars in (0.999, False), (1, True):
        report["job"]["elapsed_s"] = seconds
        work.write_text(json.dumps(report))
        assert bool(re.search("^CPU  +", stint(str(work)), re.M)) == bars, seconds
    report["job"].update(state="COMPLETED", exit_code=0, elapsed_s=0.5)
    work.write_text(json.dumps(report))
    assert re.search("^CPU  +", stint(str(work)), re.M)


def a_report_that_is_not_complete_says_so_first():
    for name in REPORTS:
        complete = json.loads(report_path(name).read_text())["complete"]
        first = r"Job [0-9_]+ .+:\s[A-Z]" if complete else r"NOT COMPLETE: (.*\n)+?\nJob [0-9_]+ .+: [A-Z]"
        assert re.match(first, stint(str(report_path(name)))), name


def what_was_used_stands_in_bars_above_seffs_lines():
    for name in REPORTS:
        report = json.loads(report_path(name).read_text())
        wanted = {"CPU": report["used"].get("cpu_efficiency"), "Memory": report["used"].get("memory_efficiency")}
        if any(victim.get("limit_bytes") == report["requested"]["memory_bytes"] for victim in report.get("oom", [])):
            wanted["Memory"] = 1
        for bars in (), ("--color=always",):
            above = plain(stint(*bars, str(report_path(name)))).split("Job ID: ")[0]
            for label, share in wanted.items():
                found = re.search(rf"^{label} +(\d+) % of [^█▒░]*[^█▒░ ]( +[█▒░]{{20}})?$", above, re.M)
                assert (found is None) == (share is None), f"{name}: {above}"
                assert not found or abs(int(found[1]) - 100 * share) <= 0.5, f"{name}: {found[0]}"
                assert not found or bool(found[2]) == bool(bars), f"{name}: {found[0]}"


def a_job_that_failed_is_not_explained_by_what_bound_it(work):
    report = json.loads(report_path("pipeline").read_text())
    for state, why in ("COMPLETED", True), ("TIMEOUT", True), ("FAILED", False), ("OUT_OF_MEMORY", False):
        for elapsed_s in 59.9, 60: # finding_elapsed_s
            report["job"]["elapsed_s"] = elapsed_s
            work.write_text(json.dumps(changed(report, "job.state", state)))
            above, below = stint(str(work)).split("Job ID: ")
            assert ("\nWhy: Serial: " in above) == why, (state, above)
            assert ("\nVerdict: Serial: " in below) == (not why and elapsed_s >= 60), (state, elapsed_s, below)
    report["job"]["state"] = "FAILED"
    for elapsed_s in 9.9, 10:
        report["job"]["elapsed_s"] = elapsed_s
        evidence = {"name": "elapsed_s", "value": elapsed_s, "unit": "s", "threshold": 10} # the site's own finding_elapsed_s
        work.write_text(json.dumps(changed(report, "verdict.evidence", [*report["verdict"]["evidence"], evidence])))
        assert ("\nVerdict: Serial: " in stint(str(work))) == (elapsed_s >= 10), elapsed_s


def what_is_not_known_of_libaio_is_named_for_a_job_that_used_it(work):
    report = json.loads(report_path("pipeline").read_text())
    for used in 0, 4096:
        work.write_text(json.dumps(changed(report, "used.async_read_bytes", used)))
        assert ("Not known: used.async_read_bytes." in stint(str(work))) == (used > 0)
        assert "used.async_read_bytes: " in stint("--all", str(work))
        assert ("<code>used.async_read_bytes</code>" in stint("--html=-", str(work))) == (used > 0)


def a_job_too_short_to_share_its_time_out_is_not_told_so(work):
    report = json.loads(report_path("pipeline").read_text())
    gap = {"name": "used.user_s", "reason": "no tick of the kernel's clock fell into the job's processes"}
    work.write_text(json.dumps(changed(report, "gaps", [gap])))
    assert "user_s" not in stint(str(work)) and "user_s" not in stint("--html=-", str(work)).split("<script")[0]
    assert "used.user_s: no tick" in stint("--all", str(work))


def tables_have_words_and_json_has_codes():
    path = str(report_path("oom"))
    codes = [finding["code"] for finding in json.loads(report_path("oom").read_text())["findings"]]
    table = stint("--table", "--width=200", path)
    assert codes[0] == "oom-kill" and "out of memory" in table and "oom-kill" not in table, table
    assert json.loads(stint("--table", "--json", path))[0]["findings"] == codes
    page = stint("--html=-", path, str(report_path("pipeline")))
    assert re.search(r'<td class=" bad" title="oom-kill[^"]*">out of memory', page), page[-3000:]


def browsers_say_that_nothing_was_found_where_the_page_says_so(work):
    report = json.loads(report_path("pipeline").read_text())
    report["findings"] = []
    for complete in True, False:
        work.write_text(json.dumps({**report, "complete": complete}))
        assert ("Findings: none" in stint(str(work))) == complete
        assert ("Nothing needs attention." in stint("--html=-", str(work))) == complete


def all_of_the_advice_can_be_pasted():
    for name in REPORTS:
        advice = [one["line"] for one in json.loads(report_path(name).read_text())["advice"]]
        for width in WIDTHS:
            text = stint(f"--width={width}", str(report_path(name)))
            if not advice:
                assert re.search(r"^Next time: (Too short|Nothing to change|It |Not all|How )", text, re.M), text
                continue
            blocks = [block.splitlines() for block in re.findall(r"^Next time: [a-z].*\n((?:\S.*\n)+)\n", text, re.M)]
            assert sorted(sum(blocks, [])) == sorted(advice), f"{name}: {blocks}"
            for block in blocks:
                assert len({line.split()[0] if line.startswith(("#SBATCH ", "srun ")) else "" for line in block}) == 1, block
            assert all(not line.startswith("#SBATCH") for block in blocks[1:] for line in block), blocks


def what_goes_above_a_command_stands_apart_from_the_options(work):
    report = json.loads(report_path("pipeline").read_text())
    lines = ["export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}", "#SBATCH --mem=1G", "srun --mem=512M", "#SBATCH --time=01:00:00"]
    work.write_text(json.dumps({**report, "advice": [{"line": line, "reason": "It is so."} for line in lines]}))
    text = stint(str(work))
    assert ("\nNext time: lines for the job script\n#SBATCH --mem=1G\n#SBATCH --time=01:00:00\n\n"
            "Next time: above the command that does the work\nexport OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}\n\n"
            "Next time: as an option of the step's srun\nsrun --mem=512M\n\n") in text, text


def colours_mean_the_same_on_terminals_and_in_browsers(work):
    """Bars and lists: good, look, bad by the one table of looks. Memory that was full before an OOM is bad, not just much."""
    looks = {"32": "good", "33": "look", "1;31": "bad", "36": "accent"}
    reports = [json.loads(report_path(name).read_text()) for name in REPORTS]
    full = json.loads(report_path("oom").read_text())
    full["used"]["memory_efficiency"] = 0.99
    seen = set()
    for report in reports + [full]:
        work.write_text(json.dumps(report))
        page, table = stint("--color=always", str(work)), stint("--color=always", "--table", "--width=200", str(work))
        html = stint("--html=-", str(work))
        for label, head in ("CPU", "CPUEff"), ("Memory", "MemEff"), ("Time", "TimeEff"):
            bar = re.search(rf"^{label} .*?\033\[([\d;]+)m[█▒]", page, re.M)
            gauge = re.search(rf'<dt>{label}</dt><dd><span class="share-of">.*?<svg class="bar (\w+)"', html)
            assert bool(bar) == bool(gauge), (label, page)
            if not bar:
                continue
            assert looks[bar[1]] == gauge[1], (report["job"]["id"], label, bar[1], gauge[1])
            seen.add((label, gauge[1]))
            share = f'{100 * report["used"]["cpu_efficiency" if label == "CPU" else "memory_efficiency"]:.1f}%' if label != "Time" else ""
            if gauge[1] in ("look", "bad") and share and share in plain(table):
                assert re.search(rf"\033\[{re.escape(bar[1])}m *{re.escape(share)}", table), (label, share, table)
        if report is full:
            assert gauge and re.search(r'<dt>Memory</dt>.*?<svg class="bar bad"', html), "99 % of memory before an OOM"
    assert {("Memory", "bad"), ("CPU", "look")} <= seen, seen


# ---- seff's lines, by seff's rules ----

def seff_time(seconds):
    days, rest = divmod(seconds, 86400)
    return (f"{days}-" if days else "") + f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


def seff_memory(kib):
    if kib == 0:
        return "0.00 MB"
    power = max(int(math.log(kib) / math.log(1024)), 0)
    return f"{kib / 1024 ** power:.2f} {'KMGTPE'[power]}B"


def rounded(seconds):
    return int(seconds + 0.5)


def seff(report):
    job, used, allocated = report["job"], report["used"], report["allocated"]
    cpus, nodes = allocated["cpus"], allocated["nodes"]
    yield f"Job ID: {job['id']}"
    if job["array_job_id"]:
        yield f"Array Job ID: {job['array_job_id']}_{job['array_task_id']}"
    yield f"Cluster: {job['cluster']}"
    yield f"User/Group: {job['user']}/{job['group']}"
    if job["state"] in ("PENDING", "RUNNING"):
        yield f"State: {job['state']}"
    else:
        yield f"State: {job['state']} (exit code {job['exit_code']})"
    if cpus == 1:
        yield "Cores: 1"
    else:
        yield f"Nodes: {nodes}"
        yield f"Cores per node: {cpus // nodes}"
    if job["state"] == "PENDING":
        yield "Efficiency not available for jobs in the PENDING state."
        return
    wall, cpu = rounded(job["elapsed_s"]), rounded(used["cpu_s"])
    kib = sum(max([node["used"]["memory_used_peak_bytes"]] + [victim["limit_bytes"] for victim in report["oom"] if victim["node"] == node["name"]])
              for node in report["nodes"]) / 1024
    given = allocated["memory_bytes"] / 1024
    per, parts = ("core", cpus) if report["requested"]["memory_source"] == "per cpu" else ("node", nodes)
    yield f"CPU Utilized: {seff_time(cpu)}"
    yield f"CPU Efficiency: {100 * cpu / (wall * cpus) if wall else 0:.2f}% of {seff_time(wall * cpus)} core-walltime"
    yield f"Job Wall-clock time: {seff_time(wall)}"
    yield f"Memory Utilized: {seff_memory(kib)}"
    yield f"Memory Efficiency: {100 * kib / given if given else 0:.2f}% of {seff_memory(given)} ({seff_memory(given / parts)}/{per})"


def changed(report, path, value):
    report = json.loads(json.dumps(report))
    at = report
    for name in path.split(".")[:-1]:
        at = at[name]
    at[path.split(".")[-1]] = value
    return report


def seffs_lines_are_exact(work):
    report = json.loads(report_path("pipeline").read_text())
    one_peak = report["nodes"][0]["used"]
    variants = [report, json.loads(report_path("oom").read_text()), json.loads(report_path("nodes").read_text()),
                json.loads(report_path("many").read_text())]
    for path, values in {
        "job.state": ("RUNNING", "PENDING", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL"),
        "job.exit_code": (1, 255), "job.signal": (9,),
        "job.elapsed_s": (0.2, 0.5, 3599.4, 86400, 1234567),
        "used.cpu_s": (0, 59.5, 86399.6, 9e6),
        "allocated.cpus": (1, 3, 128), "allocated.memory_bytes": (1 << 20, 1 << 30, 1500 << 20, 3 << 40),
        "requested.memory_source": ("per cpu",),
    }.items():
        variants += [changed(report, path, value) for value in values]
    for peak in 0, 1, 1023, 1024, 1048575, 1 << 20, (1 << 30) - 1, 1 << 40:
        variant = changed(report, "used.memory_used_peak_bytes", peak)
        variant["nodes"][0]["used"] = {**one_peak, "memory_used_peak_bytes": peak}
        variants.append(variant)
    for variant in variants:
        work.write_text(json.dumps(variant))
        equal(stint("--seff", str(work)), "\n".join(seff(variant)) + "\n", variant["job"]["state"])


def what_seff_has_no_word_for_is_left_out_and_named(work):
    report = json.loads(report_path("pipeline").read_text())
    del report["used"]["cpu_s"], report["job"]["exit_code"]
    work.write_text(json.dumps(report))
    done = subprocess.run([STINT, "report", "--seff", str(work)], env=environment("C"), capture_output=True, text=True)
    assert done.returncode == 0
    labels = [line.split(":")[0] for line in done.stdout.splitlines()]
    assert labels == ["Job ID", "Cluster", "User/Group", "Nodes", "Cores per node", "Job Wall-clock time",
                      "Memory Utilized", "Memory Efficiency"], labels
    assert done.stderr == "stint report: job 1: these values are not known, and left out: State, CPU Utilized, CPU Efficiency\n", done.stderr


# ---- what no page shows ----

def as_stint_writes(report):
    """Returns JSON with each member of a part and each element of a list on a line of its own."""
    def dump(value):
        return json.dumps(value, ensure_ascii=False)
    parts = []
    for name, value in report.items():
        if isinstance(value, list) and value:
            text = "[" + ",".join("\n    " + dump(one) for one in value) + "\n  ]"
        elif isinstance(value, dict) and value:
            text = "{" + ",".join(f"\n    {dump(key)}: {dump(one)}" for key, one in value.items()) + "\n  }"
        else:
            text = dump(value)
        parts.append(f"\n  {dump(name)}: {text}")
    return "{" + ",".join(parts) + "\n}\n"


def misleading(report):
    """Returns text whose lines begin and end like an element, but are none."""
    return as_stint_writes(report).replace('}, "wall_s"', '},\n"wall_s"')


def the_timeline_changes_no_page_however_it_is_written(work):
    report = json.loads(report_path("pipeline").read_text())
    expected = stint("--all", str(report_path("pipeline")))
    entry = {"tool": "a]}[{\\\"", "node": "n1", "step": "batch", "start": "2026-11-21T08:36:40.000+00:00",
             "states": {"on_cpu_s": 1.5, "x": [[], {}, "]"]}, "wall_s": 2}
    for count in 1, 2, 3, 500:
        report["timeline"] = [entry] * count
        report["series"] = [{"node": "n1", "end_offsets_s": [1] * count, "columns": {"cpu_s": [0.5] * count}}]
        for write in (as_stint_writes, misleading, json.dumps, lambda one: json.dumps(one, indent=2),
                      lambda one: json.dumps(one, indent=4), lambda one: json.dumps(one, indent="\t")):
            text = write(report)
            assert write is not misleading or text.count("},\n\"wall_s\"") == count
            work.write_text(text)
            equal(stint("--all", str(work)), expected, f"{count} entries")
    whole = as_stint_writes(report)
    for cut in len(whole) - 4, whole.index('"timeline"') + 40, whole.index('"series"') + 30, whole.index('"steps"'):
        work.write_text(whole[:cut])
        done = subprocess.run([STINT, "report", str(work)], env=environment("C"), capture_output=True, text=True)
        assert done.returncode == 1 and not done.stdout and ": damaged JSON: " in done.stderr, (cut, done)


TESTS = (
    the_page_is_as_it_was_when_somebody_looked_at_it,
    no_line_is_wider_than_the_page_and_none_ends_in_a_space,
    without_its_colours_the_page_is_what_a_terminal_without_colour_gets,
    every_colour_is_ended_on_its_line_and_nothing_else_steers,
    the_width_is_the_terminals_and_80_columns_in_a_pipe,
    a_usual_job_is_one_screen_and_says_what_is_left_out,
    a_page_that_is_longer_than_the_terminal_ends_behind_what_most_want_to_know,
    a_job_that_failed_at_once_has_no_bars,
    a_report_that_is_not_complete_says_so_first,
    what_was_used_stands_in_bars_above_seffs_lines,
    a_job_that_failed_is_not_explained_by_what_bound_it,
    what_is_not_known_of_libaio_is_named_for_a_job_that_used_it,
    a_job_too_short_to_share_its_time_out_is_not_told_so,
    tables_have_words_and_json_has_codes,
    browsers_say_that_nothing_was_found_where_the_page_says_so,
    all_of_the_advice_can_be_pasted,
    what_goes_above_a_command_stands_apart_from_the_options,
    colours_mean_the_same_on_terminals_and_in_browsers,
    seffs_lines_are_exact,
    what_seff_has_no_word_for_is_left_out_and_named,
    the_timeline_changes_no_page_however_it_is_written,
)


def main():
    if sys.argv[1:] == ["--update"]:
        return update()
    work = pathlib.Path(f"reports_golden.{os.getpid()}.json")
    failed = 0
    print(f"1..{len(TESTS)}")
    for number, test in enumerate(TESTS, 1):
        try:
            test(*([work] if test.__code__.co_argcount else []))
            print(f"ok {number} {test.__name__.replace('_', ' ')}")
        except (AssertionError, OSError) as error:
            failed += 1
            print(f"not ok {number} {test.__name__.replace('_', ' ')}\n# {error}")
    work.unlink(missing_ok=True)
    return failed > 0


sys.exit(main())
