# SPDX-License-Identifier: GPL-2.0-or-later
"""Controls a headless Chromium by its DevTools protocol over a pair of pipes: this needs only Python."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE_S = 60


def find():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One browser with one page. It records what the page writes to its console and requests from the network."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="stint-chromium.")
        read_in, self.write_in = os.pipe()
        self.read_out, write_out = os.pipe()

        def pipes():  # the browser reads 3 and writes 4
            os.dup2(read_in, 3)
            os.dup2(write_out, 4)

        # These numbers must differ from those that dup2() closes.
        read_in, write_out = os.dup2(read_in, 103), os.dup2(write_out, 104)
        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", "--disable-background-networking",
             f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"],
            env={**os.environ, "HOME": self.profile}, preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(read_in)
        os.close(write_out)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, end):
        while b"\0" not in self.buffer:
            if not select.select([self.read_out], [], [], max(end - time.monotonic(), 0))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.read_out, 1 << 20)
            if not data:
                raise OSError("the browser has ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **parameters):
        """Returns the browser's answer; stores its events meanwhile."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_in, data):]
        end = time.monotonic() + PATIENCE_S
        while True:
            answer = self.receive(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def value(self, expression):
        """Returns the value of a JavaScript expression in the page; waits for a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def holds(self, expression):
        """Whether the expression is true; false for a page that is replaced by the next during the question."""
        try:
            return self.value(expression)
        except RuntimeError as error:
            if "navigated or closed" not in str(error):
                raise
            return False

    def wait(self, expression):
        """Waits until the expression is true."""
        end = time.monotonic() + PATIENCE_S
        while not self.holds(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def frame(self):
        """Waits until everything that was asked for is drawn."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def open(self, path, scripts=True):
        self.events.clear()
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        self.wait("location.href.startsWith('file:') && document.readyState === 'complete'")
        if scripts:
            self.wait("document.documentElement.dataset.ready === 'true'")

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def media(self, dark=False, media=""):
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def pdf(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def complaints(self):
        """Returns the errors and warnings on the page's console."""
        found = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(f"console.{parameters['type']}")
        return found

    def requests(self):
        """Returns the addresses that the page requested."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]
