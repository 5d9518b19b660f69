# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium, driven through its debugging pipe (two file descriptors, JSON between NULs), so
that nothing beyond the Debian package is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One page. `events` gathers what the browser reports, as (method, params)."""

    def __init__(self, path):
        self.profile = tempfile.TemporaryDirectory()
        self.events, self.number, self.buffer, self.session = [], 0, b"", None
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        # The browser wants the descriptors 3 and 4; a shell puts them there.
        command = 'exec "$0" "$@" 3<&%d 4>&%d' % (to_read, to_write)
        words = [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
                 "--user-data-dir=" + self.profile.name]  # fmt: skip
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", command, *words], pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.profile.cleanup()

    def message(self, until):
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], max(0, until - time.monotonic()))[0]:
                raise RuntimeError("the browser does not answer")
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            answer = self.message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append((answer["method"], answer.get("params", {})))

    def open(self, url, width=1400, height=1000, scheme="light", phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.call("Page.navigate", url=url)
        until = time.monotonic() + 60
        while not any(method == "Page.loadEventFired" for method, _ in self.events):
            answer = self.message(until)
            if "method" in answer:
                self.events.append((answer["method"], answer.get("params", {})))

    def value(self, expression):
        """Of a JavaScript expression, as JSON."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"{expression}: {done['exceptionDetails'].get('exception')}")
        return done["result"].get("value")

    def key(self, name, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as stream:
            stream.write(base64.b64decode(data))

    def complaints(self):
        """Errors and warnings of the console, and what the page wanted from elsewhere."""
        found = []
        for method, params in self.events:
            if method == "Runtime.exceptionThrown":
                found.append("exception: " + json.dumps(params["exceptionDetails"])[:300])
            if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append("console: " + json.dumps(params["args"])[:300])
            if method == "Log.entryAdded":
                found.append("log: " + params["entry"]["text"])
            if method == "Network.requestWillBeSent" and params["type"] != "Document":
                url = params["request"]["url"]
                if not url.startswith("data:"):
                    found.append("request: " + url)
        return found
