"""`afford mcp` as a whole process: whatever the application does to its standard streams, the client reads frames."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

NOISY: Final = '''
"""An application that prints wherever it can, and reads what is not its own."""
import atexit
import logging
import os
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import Annotated

from afford import App, Choices, anyone

print("import", flush=True)
os.write(1, b"import\\n")
subprocess.run(["echo", "import"])
out = sys.stdout
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, force=True)
log = logging.getLogger("noisy")
atexit.register(lambda: os.write(1, b"exit\\n"))
atexit.register(lambda: print("exit", file=out, flush=True))


def areas():
    print("choices", flush=True)
    os.write(1, b"choices\\n")
    return ["north"]


@asynccontextmanager
async def lifespan(app):
    print("start", flush=True)
    os.write(1, b"start\\n")
    yield
    print("stop", flush=True)
    os.write(1, b"stop\\n")


app = App("noisy", access=anyone(), roles=("staff",), lifespan=lifespan)


@app.action(description="Be loud.")
def shout(area: Annotated[str, Choices(areas)]) -> int:
    print("print", flush=True)
    out.write("kept\\n")
    out.flush()
    print("original", file=sys.__stdout__, flush=True)
    log.warning("logged")
    os.write(1, b"descriptor\\n")
    return subprocess.run(["sh", "-c", "echo child"]).returncode


@app.action(description="Be nosy.")
def eavesdrop() -> list[str]:
    child = subprocess.run(["cat"], stdout=subprocess.PIPE, timeout=30)
    return [sys.stdin.read(), os.read(0, 100).decode(), child.stdout.decode()]


@app.query(description="Say much.")
async def much() -> list[str]:
    return ["x" * 1000] * 60


@app.query(description="Say little.")
async def little() -> int:
    return 1
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "noisy.py"
    path.write_text(NOISY, encoding="utf-8")
    return path


def request(id: int, name: str, **arguments: object) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def text(*frames: dict[str, object]) -> str:
    return "".join(f"{json.dumps(frame)}\n" for frame in frames)


def command(file: Path) -> list[str]:
    return [sys.executable, "-m", "afford", "mcp", str(file), "--as", "ann", "--roles", "staff"]


def results(out: str) -> dict[int, object]:
    """What came back by id; every line has to be a response."""
    frames = [json.loads(row) for row in out.splitlines()]
    return {frame["id"]: frame["result"]["structuredContent"] for frame in frames}


@pytest.mark.requirement("MCP-01", "STDIO-06")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_whatever_an_application_prints_the_client_reads_frames(file: Path, unbuffered: str) -> None:
    program = subprocess.run(
        command(file),
        input=text(request(1, "shout", area="north"), request(2, "little")),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert results(program.stdout) == {1: {"result": 0}, 2: {"result": 1}}
    printed = set(program.stderr.split())
    assert {"import", "choices", "start", "print", "kept", "original", "descriptor", "child", "stop", "exit"} <= printed
    assert "logged" in program.stderr


@pytest.mark.requirement("STDIO-06")
def test_whatever_an_application_reads_no_frame_is_lost(file: Path) -> None:
    program = subprocess.run(
        command(file),
        input=text(request(1, "eavesdrop"), *(request(id, "little") for id in range(2, 50))),
        capture_output=True,
        text=True,
        check=True,
    )
    found = results(program.stdout)
    assert found.pop(1) == {"result": ["", "", ""]}
    assert found == {id: {"result": 1} for id in range(2, 50)}


@pytest.mark.requirement("MCP-01")
def test_the_input_may_be_a_file(file: Path, tmp_path: Path) -> None:
    frames = tmp_path / "frames.jsonl"
    frames.write_text(text(request(1, "little"), request(2, "much")), encoding="utf-8")
    with frames.open("rb") as stdin:
        program = subprocess.run(command(file), stdin=stdin, capture_output=True, text=True, check=True)
    assert results(program.stdout) == {1: {"result": 1}, 2: {"rows": ["x" * 1000] * 60}}


@pytest.mark.requirement("MCP-01")
def test_both_streams_may_be_one_socket_that_does_not_wait(file: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(0)
        with subprocess.Popen(command(file), stdin=theirs, stdout=theirs, stderr=subprocess.PIPE) as program:
            theirs.close()
            ours.sendall(text(*(request(id, "much") for id in range(20))).encode())
            ours.shutdown(socket.SHUT_WR)
            with ours.makefile("r", encoding="utf-8") as answers:
                found = results(answers.read())
            program.communicate()
    assert found == {id: {"rows": ["x" * 1000] * 60} for id in range(20)}
    assert program.returncode == 0


@pytest.mark.requirement("STDIO-03")
def test_a_client_that_reads_no_more_is_no_crash(file: Path) -> None:
    with subprocess.Popen(
        command(file), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdout.close()
        program.stdin.write(text(*(request(id, "much") for id in range(20))))
        program.stdin.close()
        assert program.stderr is not None
        told = program.stderr.read()
    assert program.returncode == 0
    assert "Traceback" not in told
    assert "stop" in told.split()
