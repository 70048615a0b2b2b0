"""How fast ``routing.generate`` writes e-mails to Parquet, and how much memory it takes.

    python tests/benchmarks/generate_speed.py [N ...]

Prints a row per number of e-mails: e-mails a second of wall clock and of processor time, and the
peak memory of the process so far (it should not grow with the number).
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from routing import generate


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:]] or [20_000, 100_000]
    generate.main(["--emails", "10"])
    print(f"{'e-mails':>10} {'per s':>8} {'per cpu s':>10} {'peak MiB':>9}")
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder:
            wall, cpu = time.perf_counter(), time.process_time()
            generate.main(["--emails", str(number), "--output", str(Path(folder) / "load")])
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{number:>10} {number / wall:>8.0f} {number / cpu:>10.0f} {peak:>9.0f}")


if __name__ == "__main__":
    main()
