void matrix_mul(float* restrict C, const float* restrict A, const float* restrict B, int n, int m, int p);
void matrix_mul_serial(float* C, const float* A, const float* B, int n, int m, int p);
void matrix_mul_tiled(float C[64][64], float A[64][64], float B[64][64]);
void matrix_scale(float* C, const float* restrict A, int scale, int n, int m);
void matrix_scale_edited(float* C, const float* restrict A, int scale, int n, int m);
void matrix_add(float* C, const float* restrict A, const float* restrict B, int n, int m);
void demosaic(float* out, const float* restrict in, int N);
void histogram(int* h, const int* restrict A, int n, int m);
void histogram_edited(int* h, const int* restrict A, int n, int m);
void matrix_mv(float* restrict C, const float* restrict A, const float* restrict B, int n, int m);
void matrix_vv(float* restrict C, const float* restrict A, const float* restrict B, int n, int m);
void axpy(double* C, const double* restrict A, double alpha, int n);
void axpy_edited(double* C, const double* restrict A, double alpha, int n);
void jacobi(double* restrict NX, const double* restrict A, const double* restrict X, const double* restrict B,
            int n);
void sub(float* C, const float* A, const float* B, int n);
void copy(float* C, const float* A, int n);
void scaleadd(float* C, const float* A, float alpha, int n);
void scaleaddstore(float* C, const float* A, const float* B, float alpha, int n);
