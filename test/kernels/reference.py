"""What every kernel must compute, said a second time and another way: as matrix expressions, as equations that the result
solves, or by another algorithm. Plain Python on purpose; the sizes are small and divide nothing.

REFERENCES maps a kernel's name to (sizes, function). function(result, **sizes) yields (what, got, expected) with flat lists,
where result maps the names of the program's results to theirs.
"""

import heapq
import math
from functools import lru_cache

MASK = (1 << 64) - 1
REFERENCES = {}


def reference(name, **sizes):
    def register(function):
        REFERENCES[name] = (sizes, function)
        return function
    return register


# Input, as bench.h makes it.

def bits(seed, index):
    value = (((seed << 40) + index + 1) * 0x9E3779B97F4A7C15) & MASK
    for _ in range(2):
        value = ((value ^ (value >> 32)) * 0xD6E8FEB86659FD93) & MASK
    return value ^ (value >> 32)


def number(seed, index, low, high):
    return low + (high - low) * ((bits(seed, index) >> 11) * 2.0**-53)


def vector(n, seed, low=-1, high=1):
    return [number(seed, i, low, high) for i in range(n)]


def matrix(m, n, seed, low=-1, high=1):
    return rows(vector(m * n, seed, low, high), n)


def positive_definite(n, seed):
    return [[n if i == j else number(seed, max(i, j) * n + min(i, j), -1, 1) for j in range(n)] for i in range(n)]


# Linear algebra on lists of rows.

def rows(flat, n):
    return [flat[i:i + n] for i in range(0, len(flat), n)]


def flat(A):
    return [value for row in A for value in row]


def transpose(A):
    return [list(column) for column in zip(*A)]


def dot(x, y):
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def apply(A, x):
    return [dot(row, x) for row in A]


def product(A, B):
    columns = transpose(B)
    return [[dot(row, column) for column in columns] for row in A]


def add(*terms):
    """The sum of (factor, matrix) pairs."""
    return [[sum(factor * A[i][j] for factor, A in terms) for j in range(len(terms[0][1][0]))]
            for i in range(len(terms[0][1]))]


def add_vectors(*terms):
    return [sum(factor * x[i] for factor, x in terms) for i in range(len(terms[0][1]))]


def lower(A):
    return [A[i][j] for i in range(len(A)) for j in range(i + 1)]


def upper(A):
    return [A[i][j] for i in range(len(A)) for j in range(i + 1, len(A))]


def keep(A, where):
    return [[A[i][j] if where(i, j) else 0.0 for j in range(len(A[0]))] for i in range(len(A))]


def outer(x, y):
    return [[a * b for b in y] for a in x]


def identity(n):
    return [[float(i == j) for j in range(n)] for i in range(n)]


# Statistics.

def observations(m, n):
    data = []
    for i in range(n):
        row = []
        for j in range(m):
            own = number(1, i * m + j, 0, 10)
            row.append(own if j == 0 else own / 2 + row[j - 1] / 2)
        data.append(row)
    return data


@reference("correlation", M=9, N=14)
def correlation(result, M, N):
    columns = transpose(observations(M, N))
    means = [math.fsum(column) / N for column in columns]
    centred = [[value - mean for value in column] for column, mean in zip(columns, means)]
    deviations = [math.sqrt(dot(column, column) / N) for column in centred]
    yield "mean", result["mean"], means
    yield "stddev", result["stddev"], deviations
    yield "corr", result["corr"], [1 if i == j else dot(centred[i], centred[j]) / (N * deviations[i] * deviations[j])
                                   for i in range(M) for j in range(M)]
    scaled = [[value / (math.sqrt(N) * deviation) for value in column] for column, deviation in zip(centred, deviations)]
    yield "data", result["data"], flat(transpose(scaled))


@reference("covariance", M=9, N=14)
def covariance(result, M, N):
    columns = transpose(observations(M, N))
    means = [math.fsum(column) / N for column in columns]
    centred = [[value - mean for value in column] for column, mean in zip(columns, means)]
    yield "mean", result["mean"], means
    yield "data", result["data"], flat(transpose(centred))
    yield "cov", result["cov"], [dot(x, y) / (N - 1) for x in centred for y in centred]


# Products.

@reference("2mm", NI=7, NJ=9, NK=11, NL=5)
def two_products(result, NI, NJ, NK, NL):
    A, B, C, D = matrix(NI, NK, 1), matrix(NK, NJ, 2), matrix(NJ, NL, 3), matrix(NI, NL, 4)
    AB = product(A, B)
    yield "tmp", result["tmp"], flat(add((1.5, AB)))
    yield "D", result["D"], flat(add((1.5, product(AB, C)), (1.2, D)))


@reference("3mm", NI=7, NJ=9, NK=11, NL=5, NM=6)
def three_products(result, NI, NJ, NK, NL, NM):
    E = product(matrix(NI, NK, 1), matrix(NK, NJ, 2))
    F = product(matrix(NJ, NM, 3), matrix(NM, NL, 4))
    yield "E", result["E"], flat(E)
    yield "F", result["F"], flat(F)
    yield "G", result["G"], flat(product(E, F))


@reference("atax", M=13, N=17)
def atax(result, M, N):
    A, x = matrix(M, N, 1), vector(N, 2)
    yield "tmp", result["tmp"], apply(A, x)
    yield "y", result["y"], apply(transpose(A), apply(A, x))


@reference("bicg", M=13, N=17)
def bicg(result, M, N):
    A = matrix(N, M, 1)
    yield "s", result["s"], apply(transpose(A), vector(N, 3))
    yield "q", result["q"], apply(A, vector(M, 2))


@reference("doitgen", NQ=4, NR=5, NP=7)
def doitgen(result, NQ, NR, NP):
    A = product(matrix(NR * NQ, NP, 1), matrix(NP, NP, 2))
    yield "A", result["A"], flat(A)
    yield "sum", result["sum"], A[-1]


@reference("mvt", N=17)
def mvt(result, N):
    A = matrix(N, N, 1)
    yield "x1", result["x1"], add_vectors((1, vector(N, 2)), (1, apply(A, vector(N, 4))))
    yield "x2", result["x2"], add_vectors((1, vector(N, 3)), (1, apply(transpose(A), vector(N, 5))))


@reference("gemm", NI=7, NJ=9, NK=11)
def gemm(result, NI, NJ, NK):
    AB = product(matrix(NI, NK, 1), matrix(NK, NJ, 2))
    yield "C", result["C"], flat(add((1.5, AB), (1.2, matrix(NI, NJ, 3))))


@reference("gemver", N=17)
def gemver(result, N):
    u1, v1, u2, v2, w, x, y, z = (vector(N, seed) for seed in range(2, 10))
    A = add((1, matrix(N, N, 1)), (1, outer(u1, v1)), (1, outer(u2, v2)))
    x = add_vectors((1, x), (1.2, apply(transpose(A), y)), (1, z))
    yield "A", result["A"], flat(A)
    yield "x", result["x"], x
    yield "w", result["w"], add_vectors((1, w), (1.5, apply(A, x)))


@reference("gesummv", N=17)
def gesummv(result, N):
    A, B, x = matrix(N, N, 1), matrix(N, N, 2), vector(N, 3)
    yield "tmp", result["tmp"], apply(A, x)
    yield "y", result["y"], add_vectors((1.5, apply(A, x)), (1.2, apply(B, x)))


@reference("symm", M=11, N=7)
def symm(result, M, N):
    stored = matrix(M, M, 1)
    A = [[stored[max(i, j)][min(i, j)] for j in range(M)] for i in range(M)]
    yield "C", result["C"], flat(add((1.5, product(A, matrix(M, N, 2))), (1.2, matrix(M, N, 3))))


@reference("syr2k", M=11, N=7)
def syr2k(result, M, N):
    A, B, C = matrix(N, M, 1), matrix(N, M, 2), matrix(N, N, 3)
    AB = product(A, transpose(B))
    full = add((1.5, AB), (1.5, transpose(AB)), (1.2, C))
    yield "lower triangle of C", lower(rows(result["C"], N)), lower(full)
    yield "rest of C", upper(rows(result["C"], N)), upper(C)


@reference("syrk", M=11, N=7)
def syrk(result, M, N):
    A, C = matrix(N, M, 1), matrix(N, N, 2)
    full = add((1.5, product(A, transpose(A))), (1.2, C))
    yield "lower triangle of C", lower(rows(result["C"], N)), lower(full)
    yield "rest of C", upper(rows(result["C"], N)), upper(C)


@reference("trmm", M=11, N=7)
def trmm(result, M, N):
    A = add((1, keep(matrix(M, M, 1), lambda i, j: j < i)), (1, identity(M)))
    yield "B", result["B"], flat(add((1.5, product(transpose(A), matrix(M, N, 2)))))


@reference("matvec", M=13, N=17)
def matvec(result, M, N):
    yield "y", result["y"], apply(matrix(M, N, 1), vector(N, 2))


@reference("matvec-transposed", M=13, N=17)
def matvec_transposed(result, M, N):
    yield "y", result["y"], add_vectors((1, vector(N, 3)), (1, apply(transpose(matrix(M, N, 1)), vector(M, 2))))


@reference("spmv", N=17, MOST=6)
def spmv(result, N, MOST):
    counts = [bits(1, i) % (MOST + 1) for i in range(N)]
    x, dense, k = vector(N, 4), [[0.0] * N for _ in range(N)], 0
    for i, count in enumerate(counts):
        for _ in range(count):
            dense[i][bits(2, k) % N] += number(3, k, -1, 1)
            k += 1
    yield "y", result["y"], apply(dense, x)


@reference("matmul", N=13)
def matmul(result, N):
    yield "C", result["C"], flat(product(matrix(N, N, 1), matrix(N, N, 2)))


@reference("gemm-columns", N=13)
def gemm_columns(result, N):
    a, b, c = (transpose(matrix(N, N, seed)) for seed in (1, 2, 3))
    yield "c", result["c"], flat(transpose(add((1, c), (1, product(a, b)))))


@reference("polynomial", N=17)
def polynomial(result, N):
    a, b = vector(N, 1), vector(N, 2)
    yield "c", result["c"], [math.fsum(a[i] * b[k - i] for i in range(max(0, k - N + 1), min(k, N - 1) + 1))
                             for k in range(2 * N - 1)]


# Factors and systems of equations.

@reference("cholesky", N=17)
def cholesky(result, N):
    A, got = positive_definite(N, 1), rows(result["A"], N)
    L = keep(got, lambda i, j: j <= i)
    yield "L L^T = A", flat(product(L, transpose(L))), flat(A)
    yield "rest of A", upper(got), upper(A)


def triangular_factors(got):
    n = len(got)
    return add((1, keep(got, lambda i, j: j < i)), (1, identity(n))), keep(got, lambda i, j: j >= i)


@reference("lu", N=17)
def lu(result, N):
    yield "L U = A", flat(product(*triangular_factors(rows(result["A"], N)))), flat(positive_definite(N, 1))


@reference("ludcmp", N=17)
def ludcmp(result, N):
    A, b = positive_definite(N, 1), vector(N, 2)
    L, U = triangular_factors(rows(result["A"], N))
    yield "L U = A", flat(product(L, U)), flat(A)
    yield "L y = b", apply(L, result["y"]), b
    yield "A x = b", apply(A, result["x"]), b


@reference("trisolv", N=17)
def trisolv(result, N):
    L = [[N if i == j else value if j < i else 0 for j, value in enumerate(row)]
         for i, row in enumerate(matrix(N, N, 1))]
    yield "L x = b", apply(L, result["x"]), vector(N, 2)


@reference("durbin", N=17)
def durbin(result, N):
    r = [1 / (i + 2) for i in range(N)]
    T = [[1 if i == j else r[abs(i - j) - 1] for j in range(N)] for i in range(N)]
    yield "T y = -r", apply(T, result["y"]), [-value for value in r]


@reference("gramschmidt", M=15, N=11)
def gramschmidt(result, M, N):
    A = matrix(M, N, 1)
    for i in range(N):
        A[i][i] += 2 * math.sqrt(M)
    Q, R = rows(result["Q"], N), rows(result["R"], N)
    yield "Q R = A", flat(product(Q, R)), flat(A)
    yield "Q^T Q = 1", flat(product(transpose(Q), Q)), flat(identity(N))
    yield "R is triangular", upper(transpose(R)), [0.0] * (N * (N - 1) // 2)


@reference("cg", N=17, STEPS=30)
def cg(result, N, STEPS):
    A, b = positive_definite(N, 1), vector(N, 2)
    residual = add_vectors((1, b), (-1, apply(A, result["x"])))
    yield "the residual is below the tolerance", [float(dot(residual, residual) < 1.01e-10)], [1.0]
    yield "b - A x = r", add_vectors((1, apply(A, result["x"])), (1, result["r"])), b


@reference("jacobi-solver", N=17, SWEEPS=40)
def jacobi_solver(result, N, SWEEPS):
    A = [[N if i == j else value for j, value in enumerate(row)] for i, row in enumerate(matrix(N, N, 1))]
    yield "A x = b", apply(A, result["x"]), vector(N, 2)
    yield "A next = b", apply(A, result["next"]), vector(N, 2)


# Graphs, sequences, images.

@reference("floyd-warshall", N=23)
def floyd_warshall(result, N):
    def edge(i, j):
        value = bits(1, i * N + j)
        return 0 if i == j else 1 << 20 if value % 4 else 1 + value // 4 % 1000

    def distances(source):
        """Dijkstra's algorithm."""
        done, queue = {}, [(0, source)]
        while queue:
            length, node = heapq.heappop(queue)
            if node not in done:
                done[node] = length
                for other in range(N):
                    heapq.heappush(queue, (length + edge(node, other), other))
        return [done[node] for node in range(N)]

    yield "path", result["path"], flat([distances(source) for source in range(N)])


@reference("nussinov", N=23)
def nussinov(result, N):
    base = [bits(1, i) % 4 for i in range(N)]

    @lru_cache(None)
    def pairs(i, j):
        """The best for i..j, from what base i does: nothing, or pair with a base k that is no neighbour."""
        if i >= j:
            return 0
        together = [1 + pairs(i + 1, k - 1) + pairs(k + 1, j) for k in range(i + 2, j + 1) if base[i] + base[k] == 3]
        return max([pairs(i + 1, j), *together])

    yield "table", result["table"], [pairs(i, j) for i in range(N) for j in range(N)]


@reference("deriche", W=11, H=13)
def deriche(result, W, H):
    e = math.exp(-0.25)
    k = (1 - e)**2 / (1 + 0.5 * e - e * e)

    def smooth(line):
        """Convolution with k (1 + alpha |d|) exp(-alpha |d|), which is what the recursion computes."""
        return [math.fsum(k * (1 + 0.25 * abs(i - j)) * e**abs(i - j) * value for j, value in enumerate(line))
                for i in range(len(line))]

    image = [smooth(line) for line in matrix(W, H, 1, 0, 1)]
    yield "out", result["out"], flat(transpose([smooth(line) for line in transpose(image)]))
    yield "y1 + y2", add_vectors((1, result["y1"]), (1, result["y2"])), result["out"]


@reference("conv2d", N=9, W=4)
def conv2d(result, N, W):
    a, mask = matrix(N + W, N + W, 1, 0, 1), matrix(W, W, 2)
    yield "out", result["out"], [dot(flat(mask), [a[i + k][j + l] for k in range(W) for l in range(W)])
                                 for i in range(N) for j in range(N)]


@reference("mpeg4", N=9, W=4)
def mpeg4(result, N, W):
    a, block = matrix(N + W, N + W, 1, 0, 1), vector(W * W, 2, 0, 1)
    yield "match", result["match"], [dot(block, [a[i + k][j + l] for k in range(W) for l in range(W)])
                                     for i in range(N) for j in range(N)]


@reference("demosaic", N=27)
def demosaic(result, N):
    a = matrix(N, N, 1, 0, 1)
    yield "out", result["out"], [a[i][j] + (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4
                                 for i in range(15, N - 1) for j in range(15, N - 1)]


@reference("transpose", M=13, N=17)
def transposed(result, M, N):
    yield "out", result["out"], flat(transpose(matrix(M, N, 1)))


@reference("reverse", N=37)
def reverse(result, N):
    yield "out", result["out"], [bits(1, i) % 1000000 for i in range(N)][::-1]


@reference("histogram", N=13, BINS=7)
def histogram(result, N, BINS):
    samples = [bits(1, i) % BINS for i in range(N * N)]
    yield "count", result["count"], [samples.count(value) for value in range(BINS)]


# Physics.

@reference("mri-q", SAMPLES=11, VOXELS=17)
def mri_q(result, SAMPLES, VOXELS):
    kx, ky, kz = (vector(SAMPLES, seed, -4, 4) for seed in (1, 2, 3))
    magnitude = vector(SAMPLES, 4, 0, 1)
    x, y, z = (vector(VOXELS, seed, 0, 1) for seed in (5, 6, 7))
    angles = add((2 * math.pi, product(transpose([x, y, z]), [kx, ky, kz])))
    yield "Qr", result["Qr"], [dot(magnitude, [math.cos(angle) for angle in row]) for row in angles]
    yield "Qi", result["Qi"], [dot(magnitude, [math.sin(angle) for angle in row]) for row in angles]


@reference("mri-fh", SAMPLES=11, VOXELS=17)
def mri_fh(result, SAMPLES, VOXELS):
    k = [vector(SAMPLES, seed, -4, 4) for seed in (1, 2, 3)]
    rho = [complex(a, b) for a, b in zip(vector(SAMPLES, 4), vector(SAMPLES, 5))]
    r = [vector(VOXELS, seed, 0, 1) for seed in (6, 7, 8)]
    angles = add((2 * math.pi, product(transpose(r), k)))
    sums = [sum(a * complex(math.cos(angle), math.sin(angle)) for a, angle in zip(rho, row)) for row in angles]
    yield "fhR", result["fhR"], [value.real for value in sums]
    yield "fhI", result["fhI"], [value.imag for value in sums]


@reference("coulomb", NX=9, NY=7, ATOMS=5)
def coulomb(result, NX, NY, ATOMS):
    atoms = list(zip(vector(ATOMS, 1, 0, 0.1 * NX), vector(ATOMS, 2, 0, 0.1 * NY), vector(ATOMS, 3, 0.5, 3),
                     vector(ATOMS, 4)))
    yield "V", result["V"], [math.fsum(q / math.dist((x, y, z), (0.1 * i, 0.1 * j, 0)) for x, y, z, q in atoms)
                             for j in range(NY) for i in range(NX)]


@reference("nbody", N=17)
def nbody(result, N):
    bodies = rows(vector(4 * N, 1, 0, 1), 4)

    def force(body):
        pulls = []
        for x, y, z, mass in bodies:
            d = (x - body[0], y - body[1], z - body[2])
            pulls.append([mass * value / (dot(d, d) + 0.01)**1.5 for value in d])
        return [math.fsum(pull[axis] for pull in pulls) for axis in range(3)] + [0.0]

    yield "force", result["force"], flat([force(body) for body in bodies])


# Stencils.

def sweep(grid, shape, offsets, factor):
    """`grid`, a dictionary by index, with each inner point replaced by factor * (the sum over its neighbours)."""
    new = dict(grid)
    for point in grid:
        if all(0 < p < extent - 1 for p, extent in zip(point, shape)):
            new[point] = factor * math.fsum(grid[tuple(p + o for p, o in zip(point, offset))] for offset in offsets)
    return new


def grid_of(values, shape):
    points = [()]
    for extent in shape:
        points = [(*point, index) for point in points for index in range(extent)]
    return dict(zip(points, values))


def star(rank, centre):
    unit = [tuple(int(axis == k) * sign for axis in range(rank)) for k in range(rank) for sign in (-1, 1)]
    return unit + [(0, ) * rank] * centre


@reference("jacobi-1d", TSTEPS=3, N=19)
def jacobi_1d(result, TSTEPS, N):
    grid = grid_of(vector(N, 1, 0, 1), [N])
    for _ in range(TSTEPS):
        half = sweep(grid, [N], star(1, 1), 0.33333)
        grid = sweep(half, [N], star(1, 1), 0.33333)
    yield "A", result["A"], list(grid.values())
    yield "B", result["B"], list(half.values())


@reference("jacobi-2d", TSTEPS=3, N=11)
def jacobi_2d(result, TSTEPS, N):
    grid = grid_of(vector(N * N, 1, 0, 1), [N, N])
    for _ in range(TSTEPS):
        half = sweep(grid, [N, N], star(2, 1), 0.2)
        grid = sweep(half, [N, N], star(2, 1), 0.2)
    yield "A", result["A"], list(grid.values())
    yield "B", result["B"], list(half.values())


@reference("heat-3d", TSTEPS=2, N=7)
def heat_3d(result, TSTEPS, N):
    shape, mean = [N, N, N], star(3, 2)  # 1/8 of six neighbours and 2/8 of the point itself
    grid = grid_of(vector(N**3, 1, 0, 1), shape)
    for _ in range(TSTEPS):
        half = sweep(grid, shape, mean, 0.125)
        grid = sweep(half, shape, mean, 0.125)
    yield "A", result["A"], list(grid.values())
    yield "B", result["B"], list(half.values())


@reference("jacobi-1d-copy", STEPS=5, N=19)
def jacobi_1d_copy(result, STEPS, N):
    grid = grid_of(vector(N, 1, 0, 1), [N])
    for _ in range(STEPS):
        grid = sweep(grid, [N], star(1, 1), 1 / 3)
    yield "a", result["a"], list(grid.values())
    yield "b", result["b"][1:-1], list(grid.values())[1:-1]


@reference("jacobi-1d-halves", STEPS=5, N=19)
def jacobi_1d_halves(result, STEPS, N):
    grid = grid_of(vector(N, 1, 0, 1), [N])
    for _ in range(STEPS):
        before, grid = grid, sweep(grid, [N], star(1, 1), 1 / 3)
    halves = (before, grid) if STEPS % 2 else (grid, before)
    yield "a", result["a"], [value for half in halves for value in half.values()]


@reference("jacobi-2d-linear", STEPS=5, M=9, N=11)
def jacobi_2d_linear(result, STEPS, M, N):
    grid = grid_of(vector(M * N, 1, 0, 1), [M, N])
    for _ in range(STEPS):
        grid = sweep(grid, [M, N], star(2, 0), 0.25)
    yield "a", result["a"], list(grid.values())


@reference("jacobi-3d-linear", STEPS=2, NX=6, NY=7, NZ=8)
def jacobi_3d_linear(result, STEPS, NX, NY, NZ):
    shape = [NX, NY, NZ]
    grid = grid_of(vector(NX * NY * NZ, 1, 0, 1), shape)
    for _ in range(STEPS):
        half = sweep(grid, shape, star(3, 0), 1 / 6)
        grid = sweep(half, shape, star(3, 0), 1 / 6)
    yield "a", result["a"], list(grid.values())
    yield "b", result["b"], list(half.values())


@reference("seidel-2d", TSTEPS=3, N=11)
def seidel_2d(result, TSTEPS, N):
    square = [(di, dj) for di in (-1, 0, 1) for dj in (-1, 0, 1)]
    grid = grid_of(vector(N * N, 1, 0, 1), [N, N])
    for _ in range(TSTEPS):
        for i, j in grid:
            if 0 < i < N - 1 and 0 < j < N - 1:
                grid[i, j] = math.fsum(grid[i + di, j + dj] for di, dj in square) / 9
    yield "A", result["A"], list(grid.values())


@reference("fdtd-2d", TMAX=4, NX=9, NY=11)
def fdtd_2d(result, TMAX, NX, NY):
    shape = [NX, NY]
    ex, ey, hz = (grid_of(vector(NX * NY, seed), shape) for seed in (1, 2, 3))
    for t in range(TMAX):
        for i, j in ey:
            ey[i, j] = math.sin(0.1 * t) if i == 0 else ey[i, j] - (hz[i, j] - hz[i - 1, j]) / 2
        for i, j in ex:
            ex[i, j] -= (hz[i, j] - hz[i, j - 1]) / 2 if j > 0 else 0
        for i, j in hz:
            if i < NX - 1 and j < NY - 1:
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])
    for name, grid in ("ex", ex), ("ey", ey), ("hz", hz):
        yield name, result[name], list(grid.values())


@reference("adi", TSTEPS=1, N=13)
def adi(result, TSTEPS, N):
    """The equations of one time step: implicit along one dimension, explicit along the other."""
    start, v, u = matrix(N, N, 1, 0, 1), rows(result["v"], N), rows(result["u"], N)
    first, second = 2 * N * N / TSTEPS, N * N / TSTEPS
    inner = [(i, j) for i in range(1, N - 1) for j in range(1, N - 1)]

    def along(A, i, j, k):
        """The second difference of A at (i, j) along its first (k = 0) or second dimension."""
        return A[i - (k == 0)][j - (k == 1)] - 2 * A[i][j] + A[i + (k == 0)][j + (k == 1)]

    yield ("columns", [v[i][j] - first / 2 * along(v, i, j, 0) for i, j in inner],
           [start[i][j] + second / 2 * along(start, i, j, 1) for i, j in inner])
    yield ("rows", [u[i][j] - second / 2 * along(u, i, j, 1) for i, j in inner],
           [v[i][j] + first / 2 * along(v, i, j, 0) for i, j in inner])
    yield "edges", [A[i][j] for A, i, j in [(v, 0, 5), (v, N - 1, 5), (u, 5, 0), (u, 5, N - 1)]], [1.0] * 4
