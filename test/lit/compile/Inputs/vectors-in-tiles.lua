-- A product whose accumulators are moved as vectors: whole tiles of two kinds, one inside the other.
init("vectors-in-tiles.c", "product", 0)
tile_by_index({"i", "j"}, {"BLOCK_Y", "STRIP_X"}, {l1_control="i_tiles", l2_control="j_tiles"}, {})
tile_by_index({"k"}, {"TILE_K"}, {l1_control="k_tiles"}, {"k_tiles", "k", "i", "j"})
map_to_grid({"j_tiles", "i_tiles"})
map_to_block({"j", "i"})
copy_to_shared("k_tiles", "a", 1, 1, 4)
copy_to_shared("k_tiles", "b", 1)
copy_to_registers("j_tiles", "c")
