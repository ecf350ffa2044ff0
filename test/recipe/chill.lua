-- One section for each function of chill.c.
init("chill.c", "tiled", 0)
TI, TJ, TK = 16, 8, 2 * 2 ^ 3
tile(0, 2, TJ)
tile(0, 2, TI, 2, "i", "ii", counted)
tile_by_index({"k"}, {TK}, {l1_control="kk"}, {"kk", "k"}, strided)
normalize_index("i")
unroll("k", 3)

init("chill.c", "moved", 0)
reverse("j")
skew("j", "i", 1)
shift({0}, 3, 5)
scale("j", 2)
split(0, 3, "L3 < 20")
peel("i", 1)

init("chill.c", "parts", 0)
reverse("i")
original()
distribute({0, 1}, 1)
fuse({0, 1}, 1)
distribute("i")

init("chill.c", "apart", 0)
known("m >= 100")
map_to_grid({"i"})

init("chill.c", "scattered", 0)
remove_dep(0, 0)
map_to_grid({"i"})
name_kernel("bx", "scatter")

init("chill.c", "joined", 0)
fuse({0, 1}, 1)
map_to_grid({"i"})

init("chill.c", "whole", 0)
map_to_grid({"i"})
unroll(0, 2, 0)
