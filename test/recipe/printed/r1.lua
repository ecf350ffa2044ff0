init("gemm.c", "gemm", 0)
TI=64
TJ=16
TK=16
tile_by_index({"i","j"},{TI,TJ},{l1_control="ii",l2_control="jj"},{"ii","jj","i","j"})
tile_by_index({"k"},{TK},{l1_control="kk"},{"ii","jj","kk","i","j","k"},strided)
tile_by_index({"i"},{TJ},{l1_control="tt",l1_tile="t"},{"ii","jj","kk","t","tt","j","k"})
cudaize("gemm_GPU",{a=N*N,b=N*N,c=N*N},{block={"ii","jj"},thread={"t","tt"}})
copy_to_shared("tx","b",-16)
copy_to_texture("b")
copy_to_registers("kk","c")
unroll_to_depth(2)
