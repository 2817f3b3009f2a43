"""Does long work let those in who come meanwhile, each time and not after many turns?"""

from __future__ import annotations

import subprocess
import sys

from tests.server import CHECKOUT

WORK = """
from gevent import monkey
monkey.patch_all()
import gevent, socket, time
from companion.storage.yielding import breathe

here, there = socket.socketpair()
heard = []
gevent.spawn(lambda: heard.append(here.recv(1)))
gevent.sleep(0.01)
there.send(b"x")
turns = 0
while not heard and turns < 100:
    turns += 1
    breathe()
print(turns)
"""


def test_what_arrives_is_seen_at_the_next_turn() -> None:
    done = subprocess.run([sys.executable, "-c", WORK], cwd=CHECKOUT, capture_output=True, text=True, timeout=180, check=True)
    assert int(done.stdout) <= 2
