-- Recipes of our own for the kernels of nine.c, one section each.

-- A block computes 32 by 32 elements by 8 by 8 threads, 4 by 4 each, in slabs of 8.
init("nine.c", "gemm", 0)
tile_by_index({"i", "j"}, {32, 32}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
tile_by_index({"k"}, {8}, {l1_control="kk"}, {"ii", "jj", "kk", "i", "j", "k"}, strided)
tile_by_index({"i"}, {8}, {l1_control="ri", l1_tile="ti"}, {"ii", "jj", "kk", "ti", "ri", "j", "k"})
tile_by_index({"j"}, {8}, {l1_control="rj", l1_tile="tj"}, {"ii", "jj", "kk", "ti", "tj", "ri", "rj", "k"})
cudaize("gemm_GPU", {}, {block={"ii", "jj"}, thread={"ti", "tj"}})
copy_to_shared("tx", "a", 1)
copy_to_shared("tx", "b", -16)
copy_to_registers("kk", "c")
unroll_to_depth(3)

-- The vector in slabs of 16 in shared memory, a result in a register.
init("nine.c", "gemv", 0)
tile_by_index({"i", "j"}, {32, 16}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"}, strided)
cudaize("gemv_GPU", {}, {block={"ii"}, thread={"i"}})
copy_to_shared("tx", "x", 1)
copy_to_registers("jj", "y")
unroll_to_depth(1)

-- Rows are read along columns: a tile of the matrix goes through shared memory, and the vector is in constant memory.
init("nine.c", "tmv", 0)
copy_to_constant("x")
tile_by_index({"i", "j"}, {32, 16}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"}, strided)
cudaize("tmv_GPU", {}, {block={"ii"}, thread={"i"}})
copy_to_shared("tx", "a", -16)
copy_to_texture("a")
copy_to_registers("jj", "t")
unroll_to_depth(1)

-- Tiles with their halo.
init("nine.c", "conv", 0)
copy_to_constant("mask")
tile_by_index({"i", "j"}, {8, 16}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
cudaize("conv_GPU", {}, {block={"jj", "ii"}, thread={"j", "i"}})
copy_to_shared("tx", "in", 1)
copy_to_registers("k", "out")
unroll_to_depth(2)

init("nine.c", "mriq", 0)
permute(0, {"j", "i"})
tile_by_index({"j"}, {32}, {l1_control="jj"}, {"jj", "j", "i"})
normalize_index("j")
tile_by_index({"i"}, {16}, {l1_control="ii"}, {"jj", "ii", "j", "i"}, strided)
cudaize("mriq_GPU", {}, {block={"jj"}, thread={"j"}})
copy_to_shared("tx", "K", 1)
for _, array in ipairs({"px", "py", "pz", "Qr", "Qi"}) do copy_to_registers("ii", array) end

init("nine.c", "mrifh", 0)
tile_by_index({"v", "k"}, {32, 16}, {l1_control="vv", l2_control="kk"}, {"vv", "kk", "v", "k"}, strided)
cudaize("mrifh_GPU", {}, {block={"vv"}, thread={"v"}})
for _, array in ipairs({"kx", "ky", "kz", "rhoR", "rhoI"}) do copy_to_shared("tx", array, 1) end
for _, array in ipairs({"px", "py", "pz", "fhR", "fhI"}) do copy_to_registers("kk", array) end

init("nine.c", "cp", 0)
tile_by_index({"j", "i"}, {4, 16}, {l1_control="jj", l2_control="ii"}, {"jj", "ii", "j", "i", "n"})
tile_by_index({"n"}, {32}, {l1_control="nn"}, {"jj", "ii", "nn", "j", "i", "n"}, strided)
cudaize("cp_GPU", {}, {block={"ii", "jj"}, thread={"i", "j"}})
copy_to_shared("tx", "atom", 1)
copy_to_registers("nn", "V")
unroll_to_depth(1)

init("nine.c", "nbody", 0)
tile_by_index({"i", "j"}, {32, 8}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"}, strided)
cudaize("nbody_GPU", {}, {block={"ii"}, thread={"i"}})
copy_to_shared("tx", "source", 1)
copy_to_registers("jj", "body")
copy_to_registers("jj", "force")

init("nine.c", "mpeg4", 0)
copy_to_constant("block")
tile_by_index({"i", "j"}, {8, 16}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
cudaize("mpeg4_GPU", {}, {block={"jj", "ii"}, thread={"j", "i"}})
copy_to_shared("tx", "in", -16)
copy_to_registers("k", "match")
unroll_to_depth(1)
