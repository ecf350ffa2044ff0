"""The systems that the benchmark measures, and the commands that make their programs: the one list that generate.py, run.py, table.py and
the tests of the figures share."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """One row of the results."""
    name: str  # of the program: NAME.c, NAME.cu and NAME.h
    source: str  # a system of examples/sync, or a family and a size for its make.py
    title: str
    steps: int
    instances: int = 1  # that run beside each other
    definitions: tuple = ()  # what the preprocessor is told besides
    fitted: bool = False  # the cost model may be fitted to this row; the others test it


SYSTEMS = [
    Measured("matmul9", "matmul 9", "matrix product 9x9", 100000, definitions=("OCCUPANCY",), fitted=True),
    Measured("matmul16", "matmul 16", "matrix product 16x16", 30000),
    Measured("matmul32", "matmul 32", "matrix product 32x32", 10000, fitted=True),
    Measured("matmul64", "matmul 64", "matrix product 64x64", 4000),
    Measured("outer128", "outer 128", "matrix product 128x128, a column a step", 1026, fitted=True),
    Measured("outer256", "outer 256", "matrix product 256x256, a column a step", 1026),
    Measured("torus64", "torus 64", "game of life 64x64", 20000, definitions=("LIFE=64",), fitted=True),
    Measured("torus256", "torus 256", "game of life 256x256", 2000, definitions=("LIFE=256",)),
    Measured("heat100", "heat 100", "heat equation 100x100", 5000, fitted=True),
    Measured("heat200", "heat 200", "heat equation 200x200", 2000),
    Measured("ring40", "ring 40", "ring of 40 stations", 20000),
    Measured("ring1000", "ring 1000", "ring of 1000 stations", 5000, fitted=True),
    Measured("sort20", "sort 20", "sorting network of 20", 20000, fitted=True),
    Measured("sort64", "sort 64", "sorting network of 64", 5000),
    Measured("fir64", "fir 64", "filter of 64 taps", 20000, fitted=True),
    Measured("fir256", "fir 256", "filter of 256 taps", 5000),
    Measured("parity100", "parity 100", "parity of 100 bits", 20000, fitted=True),
    Measured("parity1000", "parity 1000", "parity of 1000 bits", 2000),
    Measured("arbiter200", "arbiter 200", "arbiter of 200 clients", 10000),
    Measured("network", "network", "cellular network of 10000 instances of a module", 5000),
    Measured("processor65536", "processor 65536", "processor with 64 K words", 20000),
    Measured("traffic", "traffic", "traffic light", 50000, fitted=True),
    Measured("stopwatch", "stopwatch", "stopwatch", 50000),
    Measured("vending", "vending", "vending machine", 50000),
    Measured("lift", "lift", "lift", 50000, fitted=True),
    Measured("fifo", "fifo", "queue", 50000),
    Measured("traffic_many", "traffic", "traffic light", 100, 1000000, fitted=True),
    Measured("stopwatch_many", "stopwatch", "stopwatch", 100, 1000000),
    Measured("fir64_many", "fir 64", "filter of 64 taps", 100, 1000000, fitted=True),
    Measured("processor64_many", "processor 64", "processor with 64 words", 600, 1000000),
    Measured("processor16384_many", "processor 16384", "processor with 16 K words", 600, 1000000),
]
