"""The webhook as a process on loopback, with ports that are free."""
import json
import os
import pathlib
import signal
import ssl
import subprocess
import http.client


class Failed(Exception):
    """The program could not be started, or ended by itself."""


class Webhook:
    """Starts `toposeg-webhook serve` and ends it: use it in a `with` statement.

    `folder` takes the CA, the log and whatever else the process writes.
    """

    def __init__(self, program, snapshot, folder, *arguments):
        self.folder = pathlib.Path(folder)
        self.ca_file = self.folder / "ca.pem"
        self.log_file = self.folder / "webhook.log"
        self._command = [str(program), "serve", "--snapshot", str(snapshot), "--address", "127.0.0.1", "--port", "0",
                         "--plain-address", "127.0.0.1", "--plain-port", "0", "--write-ca", str(self.ca_file),
                         "--lame-duck", "0", *arguments]
        self._process = None
        self.port = self.plain_port = 0

    def __enter__(self):
        with open(self.log_file, "wb") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            raise Failed(f"{self._command[0]} ended with status {self._process.returncode}: {self.log_tail()}")
        ports = json.loads(line)
        self.port, self.plain_port = ports["port"], ports["plain_port"]
        self._wait_until_ready()
        return self

    def _wait_until_ready(self):
        url = f"http://127.0.0.1:{self.plain_port}/readyz"
        done = subprocess.run(["curl", "--silent", "--show-error", "--fail", "--retry", "50", "--retry-delay", "1",
                               "--retry-connrefused", "--max-time", "60", url], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.__exit__(None, None, None)
            raise Failed(f"the webhook is not ready: {done.stderr.strip()} {self.log_tail()}")

    def __exit__(self, *_):
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process is not None:
            self._process.stdout.close()

    def alive(self):
        return self._process.poll() is None

    def stop(self):
        """SIGTERM and the exit status."""
        self.__exit__(None, None, None)
        return self._process.returncode

    def log_tail(self, lines=5):
        text = self.log_file.read_text(encoding="utf-8", errors="replace") if self.log_file.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    @property
    def pid(self):
        return self._process.pid

    def connection(self):
        """A new HTTPS connection that checks the webhook's certificate against its own CA."""
        context = ssl.create_default_context(cafile=str(self.ca_file))
        return http.client.HTTPSConnection("localhost", self.port, context=context, timeout=60)

    def post(self, path, document):
        """One review over HTTPS: the answer's status and document."""
        connection = self.connection()
        try:
            connection.request("POST", f"{path}?timeout=10s", body=json.dumps(document),
                               headers={"Content-Type": "application/json", "Accept": "application/json, */*"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def page(self, path):
        """A page of the plain port."""
        connection = http.client.HTTPConnection("127.0.0.1", self.plain_port, timeout=60)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


def program_in(build):
    path = pathlib.Path(build) / "toposeg-webhook"
    if not os.access(path, os.X_OK):
        raise Failed(f"{path} is not built")
    return path
