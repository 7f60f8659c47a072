# SPDX-License-Identifier: GPL-2.0-or-later
"""pool.py idle|beside SECONDS: a pool of four threads and two that wait for a queue; beside: the main thread computes."""
import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

HOW, SECONDS = sys.argv[1], float(sys.argv[2])


def take(tasks):
    while tasks.get() is not None:
        pass


tasks = queue.Queue()
takers = [threading.Thread(target=take, args=(tasks,)) for _ in range(2)]
for taker in takers:
    taker.start()
with ThreadPoolExecutor(4) as pool:
    list(pool.map(abs, range(100)))
    end = time.monotonic() + SECONDS
    while HOW == "beside" and time.monotonic() < end:
        sum(range(10000))
    time.sleep(max(0, end - time.monotonic()))
for taker in takers:
    tasks.put(None)
    taker.join()
