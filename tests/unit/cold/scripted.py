"""An endpoint for chat completions on a socket of this machine, which answers what a script says."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Script:
    """What the endpoint answers next, and what it was sent."""

    def __init__(self) -> None:
        self.answers: list[bytes | int] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    def calls(self, name: str, arguments: str) -> None:
        function = {"name": name, "arguments": arguments}
        tool_calls = [{"id": "call_1", "type": "function", "function": function}]
        self.answers.append(json.dumps({"choices": [{"message": {"tool_calls": tool_calls}}]}).encode())

    def says(self, text: str) -> None:
        self.answers.append(json.dumps({"choices": [{"message": {"content": text}}]}).encode())


@contextmanager
def answering(script: Script) -> Iterator[str]:
    """The address of the endpoint while it answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            script.requests.append({"path": self.path, **json.loads(body)})
            script.keys.append(self.headers["authorization"])
            answer = script.answers.pop(0)
            self.send_response(answer if isinstance(answer, int) else 200)
            content = b"{}" if isinstance(answer, int) else answer
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
