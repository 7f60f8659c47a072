# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of stint report --html. What the page shows is held against the report, read here as JSON."""

import base64
import datetime
import gzip
import hashlib
import itertools
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
import traceback

import browser as chromium
import html_report

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
STINT = os.path.abspath(os.environ.get("STINT", "reports/stint"))
EPILOG = os.path.abspath(os.environ.get("EPILOG", "reports/stint-epilog"))
WITHOUT = os.path.abspath(os.environ.get("HTML_WITHOUT", "tests/unit/html_without"))
HOSTILE = "<img src=x onerror=window.hit=1></script><script>window.hit=2</script>&amp;\"'@script@\u2028\u202e\u001b[31m"


def equal(found, expected):
    assert found == expected, f"{found!r}, where {expected!r} was expected"


def stint(*arguments):
    return subprocess.run([STINT, "report", *arguments], capture_output=True, text=True, check=False)


def one_line(result, *words):
    equal(result.returncode, 1)
    equal(result.stdout, "")
    equal(result.stderr.count("\n"), 1)
    for word in words:
        assert word in result.stderr, result.stderr


def write(name, report):
    with open(name, "w", encoding="utf-8") as out:
        json.dump(report, out)
    return name


def page_of(report, name):
    """The page's file; the report's, where it is not there yet, is written first."""
    if not isinstance(report, str):
        report = write(f"{name}.json", report)
    result = stint("--html", f"{name}.html", report)
    equal((result.returncode, result.stderr), (0, ""))
    return f"{name}.html"


def text_of(path):
    with open(path, encoding="utf-8") as page:
        return page.read()


def data_of(page):
    packed = re.search(r'id="data">([^<]*)<', page).group(1)
    data = json.loads(gzip.decompress(base64.b64decode(packed, validate=True)))
    for name in ("start", "pid", "ppid"): # each as what it is above the one before
        steps = iter(itertools.accumulate(step for step in data["timeline"][name] if step is not None))
        data["timeline"][name] = [None if step is None else next(steps) for step in data["timeline"][name]]
    return data


class World:
    """What the tests share: a directory with reports and their pages, and one browser."""

    def __init__(self):
        # A report of all that a job can have, as stint-epilog makes it of a record.
        self.report_file = self.deliver()
        with open(self.report_file, encoding="utf-8") as report:
            self.report = json.load(report)
        self.page = page_of(self.report_file, "one")
        self.has_charts = "Dygraph" in text_of(self.page)
        self.browser = chromium.Browser() if chromium.find() else None

    @staticmethod
    def deliver():
        os.mkdir("job")
        os.mkdir("libexec")
        here = os.getcwd()
        with open("libexec/stint-slurm-job", "w", encoding="utf-8") as out:
            out.write(f"#!/bin/sh\nsed 's#/home/juser/run#{here}/job#' {SOURCE}/tests/unit/data/slurm-one.json\n")
        os.chmod("libexec/stint-slurm-job", 0o755)
        with open(f"{SOURCE}/tests/unit/data/record-one.json", encoding="utf-8") as record:
            text = record.read()
        text = text.replace('/home/juser/run"', f'{here}/job"')
        text = text.replace('"uid": 1000', f'"uid": {os.getuid()}').replace('"gid": 1000', f'"gid": {os.getgid()}')
        with open("record.json", "w", encoding="utf-8") as out:
            out.write(text)
        with open("empty.conf", "w", encoding="utf-8"):
            pass
        subprocess.run([EPILOG, "--config", "empty.conf", "record.json"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "STINT_LIBEXEC": f"{here}/libexec"})
        return "job/stint-4160739_0.json"


# ---- the file ----

def test_file(world):
    """--html writes one file, as a whole, and keeps an old one's permissions; a link leads to it; - is standard output"""
    text = text_of(world.page)
    equal(stint("--html", "-", world.report_file).stdout, text)
    with open("old.html", "w", encoding="utf-8") as old:
        old.write("old")
    os.chmod("old.html", 0o640)
    os.symlink("old.html", "link.html")
    equal(stint("--html", "link.html", world.report_file).returncode, 0)
    assert os.path.islink("link.html")
    equal(text_of("old.html"), text)
    equal(stat.S_IMODE(os.stat("old.html").st_mode), 0o640)
    equal([name for name in os.listdir(".") if name.endswith(".tmp")], [])


def test_errors(world):
    """what cannot be written is one line, and a page is of one job"""
    one_line(stint("--html", "job", world.report_file), "job: not a plain file")
    one_line(stint("--html", "no/such.html", world.report_file), "no/such.html: No such file or directory")
    os.mkdir("two")
    for job in (1, 2):
        report = html_report.make(1, 0)
        report["job"]["id"] = job
        write(f"two/stint-{job}.json", report)
    one_line(stint("--html", "two.html", "two"), "--html makes the page of one job, and 2 were found")
    assert not os.path.exists("two.html")


def test_whole(world):
    """the page is whole: no name of the template is left, nothing is loaded, and only its own scripts may run"""
    text = text_of(world.page)
    markup = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.S)
    equal(re.findall(r"@[a-z]+@", markup), [])
    equal(re.findall(r'(?:src|href|action)="(?!#|data:,)[^"]*"', markup), [])
    equal(re.findall(r"@import|url\(", re.search(r"<style>(.*?)</style>", text, re.S).group(1)), [])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert policy.startswith("default-src 'none'; script-src 'sha256-"), policy
    hashes = ["'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"
              for script in re.findall(r"<script>(.*?)</script>", text, re.S)]
    equal(sorted(re.findall(r"'sha256-[^']*'", policy)), sorted(hashes))
    equal("The charts are drawn by dygraphs" in text and "Permission is hereby granted" in text, world.has_charts)


def test_data(world):
    """the pictures' data is the report's"""
    data = data_of(text_of(world.page))
    timeline, series = data["timeline"], data["series"][0]
    equal([data["tools"][i] for i in timeline["tool"]], [one["tool"] for one in world.report["timeline"]])
    equal(timeline["pid"], [one.get("pid") for one in world.report["timeline"]])
    moments = [datetime.datetime.fromisoformat(one["start"]).timestamp() for one in world.report["timeline"]]
    first = datetime.datetime.fromisoformat(world.report["job"]["start"]).timestamp()
    equal(timeline["start"], [round(1000 * (moment - first)) for moment in moments])
    for got, one in zip(timeline["cpu"], world.report["timeline"]):
        assert abs(got - 1000 * one["cpu_s"]) <= max(1, 5 * one["cpu_s"]), (got, one["cpu_s"])
    whole = world.report["series"][0]
    equal(series["ends"], [round(1000 * end) for end in whole["end_offsets_s"]])
    for name, scale in (("memory_used_bytes", 1), ("read_bytes", 1), ("cpu_s", 1000), ("file_io_s", 1000)):
        for got, value in zip(series["columns"][name], whole["columns"][name], strict=True):
            assert (got is None) == (value is None)
            assert got is None or abs(got - scale * value) <= max(0.5, scale * value / 1000), (name, got, value)


def test_size(world):
    """the page of a job of a million processes is below 2 MB"""
    page = page_of(html_report.make(65536, 4096, lanes=128), "huge")
    size = os.path.getsize(page)
    data = data_of(text_of(page))
    print(f"# {size} bytes")
    equal(len(data["timeline"]["start"]), 65536)
    equal(len(data["series"][0]["ends"]), 4096)
    assert size < 2000000, size


# ---- in a browser ----

def rows_of(browser, table):
    return browser.value(f"[...document.getElementById('{table}').tBodies[0].rows]"
                         ".map(row => [...row.cells].map(cell => cell.textContent))")


def test_quiet(world):
    """the page asks nothing of the network and its console has no complaint, in light and in dark, which differ"""
    backs = []
    for dark in (False, True):
        world.browser.media(dark=dark)
        world.browser.open(world.page)
        world.browser.frame()
        equal(world.browser.complaints(), [])
        equal(world.browser.requests(), ["file://" + os.path.realpath(world.page)])
        backs.append(world.browser.value("getComputedStyle(document.documentElement).backgroundColor"))
    assert backs[0] != backs[1], backs
    world.browser.media()


def test_numbers(world):
    """the page has the report's verdict, findings and tools, and the tools are sorted by a click"""
    browser, report = world.browser, world.report
    browser.open(world.page)
    assert report["verdict"]["text"] in browser.value("document.querySelector('.verdict').textContent")
    equal(browser.value("document.querySelectorAll('.finding').length"), len(report["findings"]))
    equal(browser.value("document.getElementById('advice-lines').textContent").split("\n")[:-1],
          [one["line"] for one in report["advice"]])
    tools = [one for one in report["tools"] if not one.get("slurm")]
    rows = rows_of(browser, "tools")
    equal([(row[0].split(" by ")[0], row[1], row[2]) for row in rows],
          [(one["name"], str(one["runs"]), str(one["failures"])) for one in tools])
    for column, field in ((1, "runs"), (3, "cpu_s"), (6, "peak_bytes")):
        for down in (True, False):
            browser.value(f"document.querySelectorAll('#tools thead button')[{column}].click()")
            order = [row[0].split(" by ")[0] for row in rows_of(browser, "tools")]
            values = [next((one.get(field) for one in tools if one["name"] == name), None) for name in order]
            known = [value for value in values if value is not None]
            equal(values, sorted(known, reverse=down) + [None] * (len(values) - len(known)))
            equal(browser.value(f"document.querySelectorAll('#tools thead th')[{column}].ariaSort"),
                  "descending" if down else "ascending")


def test_keyboard(world):
    """the timeline is read by keyboard: it takes the focus, zooms, moves, and tells its entries one by one"""
    browser = world.browser
    browser.open(world.page)
    shown = lambda: browser.value("document.getElementById('range').textContent")
    for _ in range(60):
        browser.key("Tab")
        if browser.value("document.activeElement.id") == "gantt":
            break
    equal(browser.value("document.activeElement.id"), "gantt")
    equal(browser.value("getComputedStyle(document.activeElement).outlineStyle"), "solid")
    whole = shown()
    browser.key("+")
    zoomed = shown()
    assert zoomed != whole
    browser.key("ArrowRight")
    assert shown() not in (whole, zoomed)
    browser.key("ArrowLeft")
    equal(shown(), zoomed)
    browser.key("0")
    equal(shown(), whole)
    told = []
    for _ in world.report["timeline"]:
        browser.key("n")
        told.append(browser.value("document.getElementById('entry').textContent").split(";")[0].split(" ×")[0])
    equal(sorted(told), sorted(one["tool"] for one in world.report["timeline"]))


def test_mouse(world):
    """a drag moves the timeline, Shift and a drag zooms to a range, Ctrl and the wheel zoom where the pointer is"""
    browser = world.browser
    browser.open(world.page)
    browser.value("document.getElementById('gantt').scrollIntoView({ behavior: 'instant' })")
    left, top, width = browser.value("(() => { const a = document.getElementById('gantt').getBoundingClientRect();"
                                     "return [a.left + 64, a.top + 60, a.width - 64] })()")

    def mouse(kind, part, **more):
        browser.call("Input.dispatchMouseEvent", type=kind, x=left + part * width, y=top, **more)

    def drag(start, end, modifiers=0):
        mouse("mousePressed", start, button="left", clickCount=1, modifiers=modifiers)
        for part in (start + (end - start) / 2, end):
            mouse("mouseMoved", part, button="left", buttons=1, modifiers=modifiers)
        mouse("mouseReleased", end, button="left", clickCount=1, modifiers=modifiers)

    def seconds():
        words = browser.value("document.getElementById('range').textContent").split()
        return [sum(60 ** i * float(part) for i, part in enumerate(reversed(word.split(":")))) for word in (words[0], words[2])]

    whole = seconds()[1]
    drag(0.25, 0.75, modifiers=8)
    for got, part in zip(seconds(), (0.25, 0.75)):
        assert abs(got - part * whole) < whole / 100, (seconds(), whole)
    drag(0.5, 0.4) # to the left: later
    for got, part in zip(seconds(), (0.3, 0.8)):
        assert abs(got - part * whole) < whole / 100, (seconds(), whole)
    mouse("mouseWheel", 0.5, deltaX=0, deltaY=-100, modifiers=2)
    browser.frame()
    begin, end = seconds()
    assert end - begin < whole / 2 and abs((begin + end) / 2 - 0.55 * whole) < whole / 100, (begin, end)
    browser.value("document.getElementById('fit').click()")
    equal(seconds(), [0, whole])


def test_charts(world):
    """there is a chart of each kind, each as wide as the timeline; the cursor shows the report's numbers"""
    if not world.has_charts:
        return "built without dygraphs"
    browser, columns = world.browser, world.report["series"][0]["columns"]
    browser.open(world.page)
    equal(browser.value("[...document.querySelectorAll('.chart:not([hidden]) strong')].map(one => one.textContent.split(',')[0])"),
          ["CPU", "Memory", "I/O", "Network", "Threads"])
    assert "max " in browser.value("document.querySelector('.chart').textContent")
    place = browser.value("(() => { const a = document.querySelector('.plot').getBoundingClientRect(); scrollTo({ top: a.top - 50, behavior: 'instant' });"
                          "const b = document.querySelector('.plot').getBoundingClientRect(); return [b.left, b.top, b.width] })()")
    ends, start = world.report["series"][0]["end_offsets_s"], 0.2 # the series begins that much after the job
    i = 5
    at = start + (ends[i - 1] + ends[i]) / 2
    x = place[0] + 64 + at / max(130.0, start + ends[-1]) * (place[2] - 64)
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=place[1] + 30)
    browser.frame()
    cores = columns["cpu_s"][i] / (ends[i] - ends[i - 1])
    equal(browser.value("document.querySelector('.key-value b').textContent"), f"{cores:.2f}")
    return None


def test_hostile(world):
    """names that mean harm are text"""
    report = html_report.make(20, 8, lanes=2, tools=[HOSTILE])
    report["job"].update(name=HOSTILE, user=HOSTILE, cluster=HOSTILE, state=HOSTILE, work_dir=HOSTILE)
    report["verdict"].update(bound=HOSTILE, text=HOSTILE)
    report["findings"] = [{"code": HOSTILE, "severity": "warning", "hint": HOSTILE, "threshold": {},
                           "evidence": [{"name": HOSTILE, "value": HOSTILE}, {"name": "x", "value": 1, "unit": HOSTILE}]}]
    report["advice"] = [{"line": HOSTILE, "reason": HOSTILE}]
    report["gaps"] = [{"name": HOSTILE, "reason": HOSTILE}]
    report["tools"][0].update(interpreter=HOSTILE)
    report["stint_version"] = HOSTILE
    for one in [*report["timeline"], *report["series"], report["nodes"][0]]:
        one.update(node=HOSTILE, step=HOSTILE)
    report["nodes"][0]["name"] = report["steps"][0]["id"] = HOSTILE
    page = page_of(report, "hostile")
    browser = world.browser
    browser.open(page)
    browser.value("document.getElementById('gantt').focus()")
    browser.key("n")
    browser.frame()
    equal(browser.value("window.hit === undefined"), True)
    equal(browser.value("document.querySelectorAll('img, iframe, object').length"), 0)
    equal(browser.complaints(), [])
    shown = HOSTILE.replace("\u2028", "\\xe2\\x80\\xa8").replace("\u202e", "\\xe2\\x80\\xae").replace("\u001b", "\\x1b")
    equal(browser.value("document.querySelector('h1').textContent"), shown)
    assert shown in browser.value("document.getElementById('entry').textContent")
    equal([c for c in text_of(page) if c in "\u2028\u202e\u001b"], [])


def test_many(world):
    """of 10,000 entries only what can be seen is drawn"""
    page = page_of(html_report.make(10000, 1000), "many")
    browser = world.browser
    browser.size(1280, 900)
    browser.open(page)
    browser.frame()
    equal(data_of(text_of(page))["timeline"]["all"], 10000)
    drawn = lambda: int(browser.value("document.getElementById('gantt').dataset.drawn"))
    whole = drawn()
    assert 1000 < whole <= 10000, whole
    browser.value("document.getElementById('gantt').focus()")
    for _ in range(10):
        browser.key("+")
    browser.frame()
    assert 0 < drawn() < whole / 10, (drawn(), whole)


def test_phone(world):
    """on a phone nothing is wider than the screen"""
    browser = world.browser
    browser.size(390, 844, mobile=True)
    for page in (world.page, "hostile.html"):
        browser.open(page)
        browser.frame()
        equal(browser.value("document.documentElement.scrollWidth"), 390)
        equal(browser.value("[...document.querySelectorAll('section, .figure')]"
                            ".filter(one => one.getBoundingClientRect().right > 390).length"), 0)
    browser.size(1280, 900)


def test_print(world):
    """printed, there is nothing to press, all tables are open, and dark is light"""
    browser = world.browser
    browser.media(dark=True)
    browser.open(world.page)
    equal(browser.value("document.querySelectorAll('details.as-table[open]').length"), 0)
    browser.media(dark=True, media="print")
    browser.value("dispatchEvent(new Event('beforeprint'))")
    browser.frame()
    equal(browser.value("[...document.querySelectorAll('.controls, .copy')].filter(one => one.checkVisibility()).length"), 0)
    equal(browser.value("document.querySelectorAll('details.as-table:not([open])').length"), 0)
    equal(browser.value("getComputedStyle(document.documentElement).getPropertyValue('--card').trim()"), "#ffffff")
    browser.value("dispatchEvent(new Event('afterprint'))")
    browser.media()
    equal(browser.value("document.querySelectorAll('details.as-table[open]').length"), 0)


def test_without_library(world):
    """built without the charting library, the page has the timeline, says what is missing, and shows tables for it"""
    with open("without.html", "w", encoding="utf-8") as out:
        subprocess.run([WITHOUT, world.report_file], check=True, stdout=out)
    browser = world.browser
    browser.open("without.html")
    browser.frame()
    equal(browser.complaints(), [])
    assert "built without the charting library" in browser.value("document.getElementById('no-charts').textContent")
    equal(browser.value("document.querySelector('table.series').checkVisibility()"), True)
    equal(browser.value("document.querySelectorAll('.chart').length"), 0)
    assert int(browser.value("document.getElementById('gantt').dataset.drawn")) > 0
    assert "dygraph" not in text_of("without.html").lower().replace("typeof dygraph", "").replace("new dygraph", "") \
        .replace("dygraphs draws them", "").replace(".dygraph-axis-label", "")


def test_without_script(world):
    """without JavaScript the page has its head, its verdict and its tables, and says what is missing"""
    browser = world.browser
    browser.open(world.page, scripts=False)
    browser.call("Emulation.setScriptExecutionDisabled", value=False) # now ours may look, what the page had may not
    equal(browser.value("document.documentElement.dataset.ready === undefined"), True)
    assert "need JavaScript" in browser.value("document.querySelector('noscript').textContent")
    equal(browser.value("document.getElementById('pictures').checkVisibility()"), False)
    equal(browser.value("document.querySelector('.copy').checkVisibility()"), False)
    equal(len(rows_of(browser, "tools")), len([one for one in world.report["tools"] if not one.get("slurm")]))
    equal(browser.value("document.querySelectorAll('table.series tbody tr').length"),
          len(world.report["series"][0]["end_offsets_s"]))


def test_unknown(world):
    """what is not known is said to be not known, and a report that is not complete says so first"""
    report = {"schema": "stint-report/1", "complete": False, "lost": {"process_records": 3}, "job": {"id": 1}, "requested": {},
              "used": {}, "mode": "summary", "tools": [{"name": "a", "runs": 1, "failures": 0, "wall_s": 1}], "timeline": [], "steps": [],
              "nodes": [], "gaps": [{"name": "used.cpu_s", "reason": "the collector came late"}]}
    browser = world.browser
    browser.open(page_of(report, "unknown"))
    equal(browser.complaints(), [])
    equal(browser.value("document.querySelector('section').className"), "incomplete")
    equal(browser.value("[...document.querySelectorAll('.value')].map(one => one.textContent)"), ["not known"] * 7)
    equal(rows_of(browser, "tools")[0][3], "-")
    assert "no timeline" in browser.value("document.querySelector('.timeline').textContent")
    equal(browser.value("document.getElementById('pictures').checkVisibility()"), False)
    assert "used.cpu_s" in browser.value("document.querySelector('.gaps').textContent")
    assert "process records: 3" in browser.value("document.body.textContent")


def test_unlisted(world):
    """entries of steps that the report does not list are drawn, and a peak that no sample saw is told by the chart"""
    report = {**world.report, "steps": []}
    report["timeline"] = [{**one, "step": "extern"} if i == 0 else one for i, one in enumerate(report["timeline"])]
    sampled = max(one for one in report["series"][0]["columns"]["memory_used_bytes"] if one is not None)
    report["used"] = {**report["used"], "memory_used_peak_bytes": 2 * sampled + (1 << 30)}
    browser = world.browser
    browser.open(page_of(report, "unlisted"))
    equal(browser.complaints(), [])
    assert "could not be drawn" not in browser.value("document.body.innerText")
    if world.has_charts:
        assert re.search(r"as sampled, [0-9.]+ GiB between", browser.value("document.querySelectorAll('.chart')[1].textContent"))


def main():
    tests = [one for name, one in globals().items() if name.startswith("test_")]
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stint-html.") as directory:
        os.chmod(directory, 0o755)
        os.chdir(directory)
        world = World()
        in_browser = tests.index(test_quiet)
        try:
            for number, test in enumerate(tests, 1):
                skip = None
                good = True
                begin = time.monotonic()
                if number > in_browser and not world.browser:
                    skip = "chromium is not installed"
                else:
                    try:
                        skip = test(world)
                    except Exception: # pylint: disable=broad-except
                        good = False
                        for line in traceback.format_exc().splitlines():
                            print(f"# {line}")
                failed += not good
                print(f"# {time.monotonic() - begin:.1f} s")
                print(f"{'' if good else 'not '}ok {number} - {test.__doc__}{f' # SKIP {skip}' if skip else ''}", flush=True)
        finally:
            if world.browser:
                world.browser.close()
            os.chdir("/")
    sys.exit(failed > 0)


main()
