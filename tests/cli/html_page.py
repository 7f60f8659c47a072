# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests stint report --html. What the page shows is compared with the report, which is read here as JSON."""

import base64
import datetime
import gzip
import hashlib
import itertools
import json
import os
import re
import shutil
import stat
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree

import browser as chromium
import html_report

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
STINT = os.path.abspath(os.environ.get("STINT", "reports/stint"))
EPILOG = os.path.abspath(os.environ.get("EPILOG", "reports/stint-epilog"))
WITHOUT = os.path.abspath(os.environ.get("HTML_WITHOUT", "tests/unit/reports/html_without"))
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
        out.write(json.dumps(report)) # dump() takes ten times as long
    return name


def page_of(report, name):
    """Returns the page's file; first writes the report's file if it does not exist."""
    if not isinstance(report, str):
        report = write(f"{name}.json", report)
    result = stint(f"--html={name}.html", report)
    equal((result.returncode, result.stderr), (0, ""))
    return f"{name}.html"


def text_of(path):
    with open(path, encoding="utf-8") as page:
        return page.read()


def data_of(page):
    packed = re.search(r'id="data">([^<]*)<', page).group(1)
    data = json.loads(gzip.decompress(base64.b64decode(packed, validate=True)))
    for name in ("start", "pid", "ppid"): # each as the difference to the one before
        steps = iter(itertools.accumulate(step for step in data["timeline"][name] if step is not None))
        data["timeline"][name] = [None if step is None else next(steps) for step in data["timeline"][name]]
    return data


class World:
    """What all tests share: a directory with reports and their pages, and one browser."""

    def __init__(self):
        # A report with everything that a job can have, made by stint-epilog from a record.
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
            out.write(f"#!/bin/sh\nsed 's#/home/juser/run#{here}/job#' {SOURCE}/tests/data/slurm-one.json\n")
        os.chmod("libexec/stint-slurm-job", 0o755)
        with open(f"{SOURCE}/tests/data/record-one.json", encoding="utf-8") as record:
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
    """--html writes one file, as a whole, and keeps an old one's permissions; it follows links; - is standard output"""
    text = text_of(world.page)
    equal(stint("--html=-", world.report_file).stdout, text)
    with open("old.html", "w", encoding="utf-8") as old:
        old.write(text[:1000])
    os.chmod("old.html", 0o640)
    os.symlink("old.html", "link.html")
    equal(stint("--html=link.html", world.report_file).returncode, 0)
    assert os.path.islink("link.html")
    equal(text_of("old.html"), text)
    equal(stat.S_IMODE(os.stat("old.html").st_mode), 0o640)
    equal([name for name in os.listdir(".") if name.endswith(".tmp")], [])


def test_errors(world):
    """a page that cannot be written gives one line"""
    one_line(stint("--html=job", world.report_file), "job: not a plain file")
    one_line(stint("--html=no/such.html", world.report_file), "no/such.html: No such file or directory")
    os.mkdir("two")
    for job in (1, 2):
        report = html_report.make(1, 0)
        report["job"]["id"] = job
        write(f"two/stint-{job}.json", report)
    one_line(stint("--html=no/such.html", "two"), "no/such.html: No such file or directory")


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
    """the page requests nothing from the network and its console has no errors, in light and in dark, which differ"""
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
    """the page has the report's verdict, findings and tools, and a click sorts the tools"""
    browser, report = world.browser, world.report
    browser.open(world.page)
    assert report["verdict"]["text"] in browser.value("document.querySelector('.verdict').textContent")
    equal(browser.value("document.querySelectorAll('.finding').length"), len(report["findings"]))
    blocks = browser.value("[...document.querySelectorAll('[id^=advice-lines]')].map(one => one.textContent)")
    equal(sorted("".join(blocks).split("\n")[:-1]), sorted(one["line"] for one in report["advice"]))
    assert all(block.startswith("#SBATCH") == ("#SBATCH" in block) for block in blocks), blocks
    tools = [one for one in report["tools"] if not one.get("slurm")]
    rows = rows_of(browser, "tools")
    equal([(row[0].split(" by ")[0], row[1], row[2]) for row in rows],
          [(one["name"], str(one["runs"]), str(one["failures"])) for one in tools])
    for column, field in ((1, "runs"), (3, "cpu_s"), (6, "used_peak_bytes")):
        for down in (True, False):
            browser.value(f"document.querySelectorAll('#tools thead button')[{column}].click()")
            order = [row[0].split(" by ")[0] for row in rows_of(browser, "tools")]
            values = [next((one.get(field) for one in tools if one["name"] == name), None) for name in order]
            known = [value for value in values if value is not None]
            equal(values, sorted(known, reverse=down) + [None] * (len(values) - len(known)))
            equal(browser.value(f"document.querySelectorAll('#tools thead th')[{column}].ariaSort"),
                  "descending" if down else "ascending")


def test_order(world):
    """the page answers in the order of the page for terminals: outcome, bars, why, next time, seff's lines, then details"""
    browser = world.browser
    parts = [".outcome", ".gauges", ".verdict", ".advice", ".seff", ".figures", ".findings", ".timeline", "#tools"]
    browser.open(world.page)
    places = browser.value(f"{parts}.map(one => document.querySelector(one).getBoundingClientRect().top)")
    equal(places, sorted(places))
    text = stint(world.report_file).stdout
    lines = browser.value("[...document.querySelectorAll('.seff > div')].map(one => one.textContent)")
    assert len(lines) >= 8, lines
    for line in lines: # as the terminal has them, except for the colon, which the style sheet writes
        label, value = re.fullmatch("(.*?) (.*)", line).groups() if ":" not in line else line.split(":", 1)
        assert value.split()[-1] in text and label.split()[0] in text, line
    for label, share in browser.value("[...document.querySelectorAll('.gauge')].map(one => [one.querySelector('dt').textContent,"
                                      "one.querySelector('.share-of').textContent])"):
        assert re.search(rf"^{label} +{re.escape(share)}", text, re.M), (label, share)
    failed = json.loads(json.dumps(world.report))
    failed["job"].update(state="FAILED", exit_code=1)
    browser.open(page_of(failed, "failed"))
    equal(browser.value("document.querySelector('.verdict h2').textContent"), "Verdict")
    equal(failed["job"]["elapsed_s"] >= 60, True)
    places = browser.value("['.seff', '.verdict'].map(one => document.querySelector(one).getBoundingClientRect().top)")
    equal(places, sorted(places))
    failed["job"]["elapsed_s"] = 59.9 # finding_elapsed_s
    browser.open(page_of(failed, "failed-soon"))
    equal(browser.value("document.querySelector('.verdict')"), None)


def test_once(world):
    """CPU, memory used and time are in the bars and in seff's lines, and no figure repeats them; launchers are named next to the list"""
    browser = world.browser
    browser.open(world.page)
    labels = browser.value("[...document.querySelectorAll('.figure dt')].map(one => one.textContent)")
    assert "Memory, with cache" in labels and not {"CPU", "Time", "Memory, at its peak"} & set(labels), labels
    equal(browser.value("document.querySelectorAll('.figure svg').length"), 0)
    note = "[...document.querySelectorAll('section[aria-labelledby=states-h] .note')].map(one => one.textContent)"
    equal(browser.value(note), [])
    report = json.loads(json.dumps(world.report))
    states = {"on_cpu_s": 1.0, "sleep_s": 5.0}
    report["tools"] += [{**report["tools"][0], "name": name, "states": states} for name in ("srun", "mpirun")]
    browser.open(page_of(report, "launchers"))
    equal(browser.value(note), ["Without the threads of srun, mpirun, which wait for tasks; the charts over time include these threads."])
    report["tools"].pop()
    browser.open(page_of(report, "launcher"))
    equal(browser.value(note), ["Without the threads of srun, which waits for tasks; the charts over time include these threads."])
    report["series"] = []
    report["tools"][-1]["states"] = {"sleep_s": 1e6}
    browser.open(page_of(report, "no-series"))
    equal(browser.value(note), ["Without the threads of srun, which waits for tasks."])
    report["tools"][-1]["states"] = {"sleep_s": 1e-6}
    browser.open(page_of(report, "no-launcher-worth-it"))
    equal(browser.value(note), [])


def test_keyboard(world):
    """the timeline can be read by keyboard: it takes the focus, zooms, moves, and describes its entries one by one"""
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
    ends, start = world.report["series"][0]["end_offsets_s"], 0.2 # the series begins this much after the job
    i = 5
    at = start + (ends[i - 1] + ends[i]) / 2
    x = place[0] + 64 + at / max(130.0, start + ends[-1]) * (place[2] - 64)
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=place[1] + 30)
    browser.frame()
    cores = columns["cpu_s"][i] / (ends[i] - ends[i - 1])
    equal(browser.value("document.querySelector('.key-value b').textContent"), f"{cores:.2f}")
    return None


SAVED = """(async () => {{
    const own = URL.createObjectURL, job = {{}};
    const saved = new Promise(done => URL.createObjectURL = blob => {{ done(blob); return own.call(URL, blob); }});
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function() {{ job.name = this.download; }};
    document.getElementById('save-{kind}').click();
    const blob = await saved;
    await new Promise(done => setTimeout(done));
    URL.createObjectURL = own;
    HTMLAnchorElement.prototype.click = click;
    return [job.name, blob.type, '{kind}' === 'svg' ? await blob.text() : [...new Uint8Array(await blob.arrayBuffer())].slice(0, 24)];
}})()"""


def picture_of(browser):
    """Returns the saved SVG: the texts, and the paths as lists of points."""
    name, kind, text = browser.value(SAVED.format(kind="svg"))
    equal(kind, "image/svg+xml")
    assert name.startswith("stint-") and name.endswith(".svg") and "/" not in name, name
    root = xml.etree.ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    paths = [(one.get("stroke"), [tuple(float(number) for number in point.split()) for point in re.split("[ML]", one.get("d"))[1:]])
             for one in root.iter(f"{space}path")]
    return [one.text for one in root.iter(f"{space}text")], paths


def idle(world):
    """Returns the report of a job that used almost nothing of 8 CPUs and 4 GiB."""
    report = json.loads(json.dumps(world.report))
    report["allocated"].update(cpus=8, memory_bytes=4 << 30)
    report["nodes"][0].setdefault("allocated", {}).update(cpus=8, memory_bytes=4 << 30)
    for series in report["series"]:
        for name, values in series["columns"].items():
            series["columns"][name] = [None if value is None else 1 << 20 if name == "memory_used_bytes" else value / 300 if name == "cpu_s" else 0
                                       for value in values]
    return report


def test_scale(world):
    """charts go up to what was allocated, which is a line with its number; a switch fits them to the data"""
    if not world.has_charts:
        return "built without dygraphs"
    browser = world.browser
    browser.open(page_of(idle(world), "idle"))
    labels = lambda at: browser.value(f"[...document.querySelectorAll('.chart')[{at}].querySelectorAll('.dygraph-axis-label-y')]"
                                      ".map(one => one.textContent)")
    assert "8.00" in labels(0) and "4 GiB" in labels(1), (labels(0), labels(1))
    texts, paths = picture_of(browser)
    assert "8 CPUs allocated" in texts and "4.0 GiB allocated" in texts and "time since the job's start" in texts, texts
    # If the job was idle, the line is at the bottom: of the 120 pixels of the chart, it takes less than one.
    drawn = [points for stroke, points in paths if stroke == "#2f7fd0"][0]
    assert max(y for _, y in drawn) - min(y for _, y in drawn) < 1, drawn
    browser.value("(() => { const scale = document.getElementById('scale'); scale.value = 'fit'; scale.dispatchEvent(new Event('change')) })()")
    browser.frame()
    assert "8.00" not in labels(0) and "4 GiB" not in labels(1), (labels(0), labels(1))
    drawn = [points for stroke, points in picture_of(browser)[1] if stroke == "#2f7fd0"][0]
    assert max(y for _, y in drawn) - min(y for _, y in drawn) > 30, drawn
    assert "since the job's start" in browser.value("document.querySelector('.axis-name').textContent")
    return None


def test_shape(world):
    """rates are drawn as steps, and levels meet their samples; time and values at the cursor are those of the picture"""
    if not world.has_charts:
        return "built without dygraphs"
    browser, series = world.browser, world.report["series"][0]
    browser.open(world.page)
    browser.frame()
    paths = picture_of(browser)[1]
    rates = [points for stroke, points in paths if stroke == "#2f7fd0"][0]
    assert len(rates) > 8 and all(a[0] == b[0] or a[1] == b[1] for a, b in zip(rates, rates[1:])), rates
    used = [value for value in series["columns"]["memory_used_bytes"] if value is not None]
    levels = next(points for stroke, points in paths if stroke == "#c6426e" and len(set(points)) >= len(used))
    levels = [point for at, point in enumerate(levels) if at == 0 or point != levels[at - 1]]
    bottom = {round((y - levels[0][1]) / (used[0] - value), 9) for value, (_, y) in zip(used, levels) if abs(value - used[0]) > max(used) / 4}
    assert len(levels) == len(used) and max(bottom) - min(bottom) < max(bottom) / 10, (levels, used)
    place = browser.value("(() => { const a = document.getElementById('charts'); a.scrollIntoView({ behavior: 'instant' });"
                          "const b = document.querySelector('.plot').getBoundingClientRect(); return [b.left, b.top, b.width] })()")
    whole = browser.value("document.getElementById('range').textContent").split()[2]
    whole = sum(60 ** i * float(part) for i, part in enumerate(reversed(whole.split(":"))))
    ends = series["end_offsets_s"]
    pixel = whole / (place[2] - 64)
    for i in range(2, len(ends) - 1):
        if ends[i] - ends[i - 1] < 8 * pixel:
            continue
        for at in (0.2 + ends[i - 1] + 3 * pixel, 0.2 + ends[i] - 3 * pixel): # the series begins this much after the job
            browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=place[0] + 64 + at / pixel, y=place[1] + 30)
            browser.frame()
            equal(browser.value("document.querySelector('.key-value b').textContent"),
                  f"{series['columns']['cpu_s'][i] / (ends[i] - ends[i - 1]):.2f}")
            shown = browser.value("document.querySelector('.cursor-time').textContent")
            shown = sum(60 ** i * float(part) for i, part in enumerate(reversed(shown.split(":"))))
            assert abs(shown - at) < 2 * pixel, (shown, at)
    return None


def test_save(world):
    """the pictures are saved as SVG or PNG, in light colours also where the page is dark"""
    browser = world.browser
    browser.media(dark=True)
    browser.open(world.page)
    back = browser.value("getComputedStyle(document.documentElement).backgroundColor")
    texts, paths = picture_of(browser)
    assert len(paths) > 3 and "step batch" in texts, texts
    name, kind, head = browser.value(SAVED.format(kind="png"))
    equal((name.rsplit(".", 1)[1], kind, bytes(head[:8])), ("png", "image/png", b"\x89PNG\r\n\x1a\n"))
    assert int.from_bytes(head[16:20], "big") > 2000, head
    equal(browser.value("getComputedStyle(document.documentElement).backgroundColor"), back)
    equal(browser.complaints(), [])
    browser.media()
    browser.open(page_of(html_report.make(20, 8, lanes=2, tools=[HOSTILE]), "hostile-picture"))
    picture_of(browser)


def contrast(one, other):
    def luminance(colour):
        parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast(world):
    """text has a contrast of 4.5 to what it stands on, in both schemes: on each colour of a bar, and on the page"""
    browser = world.browser
    report = html_report.make(12, 4, lanes=12)
    for i, one in enumerate(report["timeline"]):
        one.update(tool=html_report.TOOLS[i], start=html_report.moment(0), end=html_report.moment(3600), failures=0, cpu_s=12 - i)
    page = page_of(report, "colours")
    for dark in (False, True):
        browser.media(dark=dark)
        browser.open(page)
        pairs = browser.value("""(() => {
            const found = [], proto = CanvasRenderingContext2D.prototype, rect = proto.fillRect, text = proto.fillText;
            let bar = null;
            proto.fillRect = function(x, y, w, h) { bar = h === 12 ? this.fillStyle : null; rect.call(this, x, y, w, h); };
            proto.fillText = function(...all) { if (bar) found.push([bar, this.fillStyle]); text.apply(this, all); };
            dispatchEvent(new Event('afterprint')); // draws all anew
            proto.fillRect = rect;
            proto.fillText = text;
            return found;
        })()""")
        assert len({bar for bar, _ in pairs}) == 11, pairs # ten colours, and grey for the others
        colour = lambda name: browser.value(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")
        pairs += [(colour(back), colour(text)) for back, text in (
            ("card", "text"), ("card", "quiet"), ("back", "quiet"), ("band", "quiet"), ("card", "accent"), ("card", "bad"),
            ("card", "warn"), ("card", "good"), ("good-back", "good"), ("warn-back", "warn"), ("bad-back", "bad"),
            ("accent", "accent-text"), ("cursor", "card"))]
        for back, text in pairs:
            assert contrast(back, text) >= 4.5, (dark, back, text, contrast(back, text))
    browser.media()


def test_small(world):
    """a chart of a job that hardly used its CPUs: no two labels of its axis are the same"""
    if not world.has_charts:
        return "built without dygraphs"
    report = json.loads(json.dumps(world.report))
    for series in report["series"]:
        seconds = [end - begin for begin, end in zip([0] + series["end_offsets_s"], series["end_offsets_s"])]
        series["columns"]["cpu_s"] = [0.012 * second for second in seconds]
    world.browser.open(page_of(report, "small"))
    labels = world.browser.value("[...document.querySelector('.chart').querySelectorAll('.dygraph-axis-label-y')].map(one => one.textContent)")
    assert len(labels) >= 3 and len(set(labels)) == len(labels), labels
    return None


def test_hostile(world):
    """hostile names are text"""
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
    """of 10,000 entries only the visible ones are drawn"""
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


def some_jobs(directory, count, change):
    """Writes reports of so many jobs, each as change(i, report) leaves it; returns them."""
    os.makedirs(directory)
    reports = []
    for i in range(count):
        report = html_report.make(0, 0)
        elapsed, used = 60 + (i * 7919) % 9973, (1 << 20) * (1 + (i * 104729) % 4093)
        report["job"].update(id=i + 1, name=("align", "sort", "call")[i % 3], elapsed_s=elapsed)
        report["requested"].update(memory_bytes=4 << 30)
        report["allocated"].update(cpus=4)
        report["used"].update(cpu_s=elapsed * 2, cpu_efficiency=0.5, memory_used_peak_bytes=used, memory_efficiency=used / (4 << 30))
        change(i, report)
        write(f"{directory}/stint-{i + 1}.json", report)
        reports.append(report)
    return reports


def test_jobs(world):
    """a page of many jobs: who did not complete, what they used, and each job, with a link to its page if that is next to it"""
    def change(i, report):
        if i % 5 == 0:
            report["job"].update(state="FAILED", exit_code=1)
            report["verdict"]["outcome"] = f"FAILED: it was number {i}"

    reports = some_jobs("jobs", 30, change)
    equal(stint("--html=jobs/stint-3.html", "jobs/stint-3.json").returncode, 0)
    result = stint("--html=jobs/all.html", "jobs")
    equal((result.returncode, result.stderr), (0, ""))
    browser = world.browser
    browser.open("jobs/all.html")
    equal(browser.complaints(), [])
    equal(browser.requests(), ["file://" + os.path.realpath("jobs/all.html")])
    equal([(row[0], row[2]) for row in rows_of(browser, "failed")],
          [(str(i + 1), f"FAILED: it was number {i}") for i in range(0, 30, 5)])
    equal(len(rows_of(browser, "jobs")), 30)
    equal(browser.value("[...document.querySelectorAll('#jobs a')].map(one => one.getAttribute('href'))"), ["./stint-3.html"])
    longest = sorted((report["job"]["elapsed_s"], report["job"]["id"]) for report in reports)[::-1]
    equal([row[0] for row in rows_of(browser, "longest")], [str(job) for _, job in longest[:10]])
    boxes = browser.value("[...document.querySelectorAll('.boxes')].map(one => [...one.querySelectorAll('tbody tr')]"
                          ".map(row => [row.cells[0].textContent, row.cells[1].textContent, row.querySelector('.body').getAttribute('x'),"
                          "row.querySelector('.body').getAttribute('width')]))")
    equal(len(boxes), 4)
    for name, jobs, left, width in boxes[0]:
        values = [report["job"]["elapsed_s"] for report in reports if report["job"]["name"] == name]
        lower, _, upper = statistics.quantiles(values, n=4, method="inclusive")
        equal(jobs, "10")
        assert abs(float(left) - 1000 * lower / longest[0][0]) < 0.1, (left, lower)
        assert abs(float(width) - 1000 * (upper - lower) / longest[0][0]) < 0.1, (width, lower, upper)
    os.chdir("jobs")
    try:
        result = stint("--html", "1", "2")
        equal(result.stdout.splitlines(), ["Wrote stint-1.html, the page of job 1", "Wrote stint-2.html, the page of job 2",
                                           "Wrote stint-jobs.html, the page of 2 jobs"])
    finally:
        os.chdir("..")
    browser.open("jobs/stint-jobs.html")
    browser.value("document.querySelector('#jobs a').click()")
    browser.wait("location.href.endsWith('stint-1.html') && document.documentElement?.dataset.ready === 'true'")


def test_short_jobs(world):
    """jobs of less than a second have their time in seconds, as in the terminal, and no hours that round to nothing"""
    some_jobs("shorts", 3, lambda i, report: report["job"].update(elapsed_s=0.363))
    equal(stint("--html=shorts.html", "shorts").returncode, 0)
    browser = world.browser
    browser.open("shorts.html")
    equal([("0.363 s" in row, "00:00:00" in row) for row in rows_of(browser, "jobs")], [(True, False)] * 3)
    assert "0.00" not in browser.value("document.querySelector('.figures').textContent")


def test_names_of_one_job(world):
    """a box is for several jobs: if hardly any have a name in common, one box has all"""
    labels = "[...document.querySelector('.boxes').querySelectorAll('tbody tr')].map(row => row.cells[0].textContent)"
    for names, wanted in ("abcdef", ["all jobs"]), ("aabbcd", ["all jobs"]), ("aaabbb", ["a", "b"]):
        some_jobs(names, len(names), lambda i, report: report["job"].update(name=names[i]))
        equal(stint("--html=names.html", names).returncode, 0)
        world.browser.open("names.html")
        equal(sorted(world.browser.value(labels)), wanted)


def test_hostile_jobs(world):
    """on the page of many jobs, too, hostile names are text: in its HTML, and in the rows that its script makes"""
    def change(_, report):
        report["job"].update(name=HOSTILE, user=HOSTILE, cluster=HOSTILE, state=HOSTILE)
        report["verdict"].update(bound=HOSTILE, outcome=HOSTILE)
        report["findings"] = [{"code": HOSTILE, "severity": "critical", "hint": HOSTILE, "threshold": {}, "evidence": []}]

    some_jobs("hostiles", 120, change)
    equal(stint("--html=hostiles.html", "hostiles").returncode, 0)
    browser = world.browser
    browser.open("hostiles.html")
    shown = HOSTILE.replace("\u2028", "\\xe2\\x80\\xa8").replace("\u202e", "\\xe2\\x80\\xae").replace("\u001b", "\\x1b")
    for _ in range(2):
        equal(browser.value("window.hit === undefined"), True)
        equal(browser.value("document.querySelectorAll('img, iframe, object').length"), 0)
        equal({row[1] for row in rows_of(browser, "jobs")}, {shown})
        browser.value("[...document.querySelectorAll('.controls button')].slice(-1)[0].click()")
    equal(len(rows_of(browser, "jobs")), 20)
    equal(browser.complaints(), [])
    equal([c for c in text_of("hostiles.html") if c in "\u2028\u202e\u001b"], [])
    browser.size(390, 844, mobile=True)
    browser.open("hostiles.html")
    equal(browser.value("document.documentElement.scrollWidth"), 390)
    browser.size(1280, 900)


def test_ten_thousand(world):
    """a page of 10,000 jobs is below 2 MB; it shows 100 of them at a time, sorted and searched over all"""
    reports = some_jobs("thousands", 10000, lambda i, report: None)
    begin = time.monotonic()
    equal(stint("--html=thousands.html", "thousands").returncode, 0)
    size = os.path.getsize("thousands.html")
    print(f"# {size} bytes, written in {time.monotonic() - begin:.1f} s")
    assert size < 2000000, size
    browser = world.browser
    begin = time.monotonic()
    browser.open("thousands.html")
    browser.frame()
    print(f"# opened in {time.monotonic() - begin:.2f} s")
    equal(len(rows_of(browser, "jobs")), 100)
    begin = time.monotonic()
    browser.value("[...document.querySelectorAll('#jobs thead button')].find(one => one.textContent === 'Elapsed').click()")
    browser.frame()
    print(f"# sorted in {time.monotonic() - begin:.2f} s")
    order = sorted(reports, key=lambda report: -report["job"]["elapsed_s"])
    rows = rows_of(browser, "jobs")
    equal([row[0] for row in rows[:3]], [str(report["job"]["id"]) for report in order[:3]])
    browser.value("(() => { const search = document.querySelector('#jobs').closest('section').querySelector('input');"
                  "search.value = '4242'; search.dispatchEvent(new Event('input')) })()")
    found = [row[0] for row in rows_of(browser, "jobs")]
    assert "4242" in found and all(any("4242" in cell for cell in row) for row in rows_of(browser, "jobs")), found
    shutil.rmtree("thousands")


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
    """when printed, there is nothing to press, all tables are open, and dark is light"""
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
    """without the charting library, the page has the timeline, says what is missing, and shows tables instead"""
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
    advised = dict(world.report, advice=[{"line": "#SBATCH --mem=1G", "reason": "It used less."}])
    browser.open(page_of(advised, "advised"), scripts=False)
    browser.call("Emulation.setScriptExecutionDisabled", value=False) # now ours may look, what the page had may not
    equal(browser.value("document.documentElement.dataset.ready === undefined"), True)
    assert "need JavaScript" in browser.value("document.querySelector('noscript').textContent")
    equal(browser.value("document.getElementById('pictures').checkVisibility()"), False)
    equal(browser.value("document.querySelector('.copy').checkVisibility()"), False)
    equal(len(rows_of(browser, "tools")), len([one for one in world.report["tools"] if not one.get("slurm")]))
    equal(browser.value("document.querySelectorAll('table.series tbody tr').length"),
          len(world.report["series"][0]["end_offsets_s"]))


def test_unknown(world):
    """unknown values are shown as not known, and a report that is not complete says so first"""
    report = {"schema": "stint-report/1", "complete": False, "lost": {"process_records": 3}, "job": {"id": 1}, "requested": {},
              "used": {}, "mode": "summary", "tools": [{"name": "a", "runs": 1, "failures": 0, "wall_s": 1}], "timeline": [], "steps": [],
              "nodes": [], "gaps": [{"name": "used.cpu_s", "reason": "the collector came late"}]}
    browser = world.browser
    browser.open(page_of(report, "unknown"))
    equal(browser.complaints(), [])
    equal(browser.value("document.querySelector('section').className"), "incomplete")
    equal(browser.value("[...document.querySelectorAll('.value')].map(one => one.textContent)"), ["not known"] * 5)
    lines = browser.value("document.querySelector('.seff').textContent")
    for label in "CPU Utilized", "Memory Utilized", "Job Wall-clock time":
        assert re.search(rf"{label}:? *not known", lines), lines
    equal(rows_of(browser, "tools")[0][3], "-")
    assert "no timeline" in browser.value("document.querySelector('.timeline').textContent")
    equal(browser.value("document.getElementById('pictures').checkVisibility()"), False)
    assert "used.cpu_s" in browser.value("document.querySelector('.gaps').textContent")
    assert "process records: 3" in browser.value("document.body.textContent")


def test_unlisted(world):
    """entries of steps that the report does not list are drawn, and the chart shows a peak that no sample saw"""
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


def quick_directory():
    """Returns a directory where 10,000 files can be made in less than seconds: in memory, if there is room; None: no such place."""
    try:
        memory = os.statvfs("/dev/shm")
    except OSError:
        return None
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) and memory.f_bavail * memory.f_frsize > 1 << 30 else None


def main():
    tests = [one for name, one in globals().items() if name.startswith("test_")]
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="stint-html.", dir=quick_directory()) as directory:
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
