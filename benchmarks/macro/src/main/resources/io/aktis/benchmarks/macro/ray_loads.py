"""Ray's side of the macro-benchmarks; `aktis bench core --against ray` starts it.

Usage: python ray_loads.py CPUS STORE_BYTES

Reads requests from standard input, one a line: the name of a load and the seconds of a window. Answers each with a
line: the figure in the unit of the load, or "error" and the reason. Ends when there is no more input.
Loads whose name does not end in _per_s take as long as they take, and are done once a request.
"""

import os
import sys
import time

import numpy
import ray

MB = 1 << 20


@ray.remote
def noop():
    return "ok"


@ray.remote
def fib(n):
    if n < 2:
        return n
    return sum(ray.get([fib.remote(n - 1), fib.remote(n - 2)]))


@ray.remote
class Counter:
    def noop(self):
        return "ok"

    def size(self, block):
        return block.nbytes


class Loads:
    """The loads by name. What they share is made with its first use and kept while Ray runs."""

    def __init__(self, cpus, store_bytes):
        self.cpus = cpus
        self.store_bytes = store_bytes
        self.kept = {}

    def measure(self, name, seconds):
        method = getattr(self, name)
        if name not in ("init_to_first_result_s", "shutdown_s"):
            self.start()
        if name.endswith("_per_s"):
            return self.rate(*method(), seconds)
        return method()

    @staticmethod
    def rate(action, units, seconds):
        runs, start = 0, time.perf_counter()
        elapsed = 0.0
        while elapsed < seconds:
            action()
            runs += 1
            elapsed = time.perf_counter() - start
        return runs * units / elapsed

    @staticmethod
    def timed(action):
        start = time.perf_counter()
        action()
        return time.perf_counter() - start

    # --- the session

    def start(self):
        if not ray.is_initialized():
            ray.init(
                num_cpus=self.cpus,
                object_store_memory=self.store_bytes,
                include_dashboard=False,
                log_to_driver=False,
            )
            ray.get(noop.remote())

    def stop(self):
        self.kept.clear()
        ray.shutdown()

    def once(self, key, make):
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]

    def init_to_first_result_s(self):
        self.stop()
        return self.timed(self.start)

    def shutdown_s(self):
        self.start()
        return self.timed(self.stop)

    def resident_mb(self):
        return sum(map(resident_bytes, descendants(os.getpid()))) / 1e6

    # --- tasks

    def task_sync_per_s(self):
        return lambda: ray.get(noop.remote()), 1

    def task_async_per_s(self):
        return lambda: ray.get([noop.remote() for _ in range(1000)]), 1000

    def micro_tasks_100k_s(self):
        return self.timed(lambda: ray.get([noop.remote() for _ in range(100_000)]))

    def fib_8_nested_s(self):
        return self.timed(lambda: ray.get(fib.remote(8)))

    def wait_1000_rounds_per_s(self):
        def one_by_one():
            waiting = [noop.remote() for _ in range(1000)]
            while waiting:
                _, waiting = ray.wait(waiting)

        return one_by_one, 1

    # --- actors

    def counter(self):
        def make():
            actor = Counter.remote()
            ray.get(actor.noop.remote())
            return actor

        return self.once("counter", make)

    def actor_sync_per_s(self):
        actor = self.counter()
        return lambda: ray.get(actor.noop.remote()), 1

    def actor_async_per_s(self):
        actor = self.counter()
        return lambda: ray.get([actor.noop.remote() for _ in range(1000)]), 1000

    def actor_arg_500mb_ref_per_s(self):
        actor, block = self.counter(), self.block()
        return lambda: ray.get(actor.size.remote(block)), 1

    def create_call_50_actors_s(self):
        def create_and_call():
            actors = [Counter.options(num_cpus=0).remote() for _ in range(50)]
            ray.get([actor.noop.remote() for actor in actors])

        return self.timed(create_and_call)

    # --- objects

    def block(self):
        return self.once("block", lambda: ray.put(numpy.ones(500 * MB, dtype=numpy.uint8)))

    def get_small_per_s(self):
        small = self.once("small", lambda: ray.put(0))
        return lambda: ray.get(small), 1

    def put_small_per_s(self):
        return lambda: ray.put(0), 1

    def put_100mb_gb_per_s(self):
        data = numpy.ones(100 * MB, dtype=numpy.uint8)
        return lambda: ray.put(data), data.nbytes / 1e9

    def get_500mb_view_per_s(self):
        block = self.block()
        return lambda: ray.get(block), 1


def descendants(root):
    """The process and all that it started, directly or not."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                    parents[int(entry)] = int(stat.read().rpartition(")")[2].split()[1])
            except OSError:
                pass  # it has ended meanwhile
    found = [root]
    for pid in found:
        found.extend(child for child, parent in parents.items() if parent == pid)
    return found


def resident_bytes(pid):
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def main():
    loads = Loads(int(sys.argv[1]), int(sys.argv[2]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Ray prints; its words are no answers
    for request in sys.stdin:
        name, seconds = request.split()
        try:
            answer = repr(float(loads.measure(name, float(seconds))))
        except Exception as failure:  # told to who asked
            answer = "error " + " ".join(str(failure).split())
        print(answer, file=answers, flush=True)
    if ray.is_initialized():
        loads.stop()


main()
