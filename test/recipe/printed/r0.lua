init("conv.c", "conv", 0)
TI=16
TJ=16
tile_by_index({"i","j"},{TI,TJ},{l1_control="ii",l2_control="jj"},{"ii","jj","i","j"})
cudaize("conv_GPU",{a=N*N,b=(N+M)*(N+M),c=M*M},{block={"ii","jj"},thread={"i","j"}})
