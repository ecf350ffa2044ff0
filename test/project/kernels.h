void matrix_mul(float* restrict C, const float* restrict A, const float* restrict B, int n);
void matrix_scale(float* C, const float* restrict A, int scale, int n);
void matrix_mv(float* restrict C, const float* restrict A, const float* restrict B, int n);
void matrix_vv(float* restrict C, const float* restrict A, const float* restrict B, int n);
