// Fourier transforms of signals whose length is a power of two; real and imaginary parts in arrays of their own.
void transform(int n, int inverse, const double* cosines, const double* sines, double* re, double* im, double* re2, double* im2);
void multiply(int n, const double* are, const double* aim, double* bre, double* bim);
void scale(int n, double factor, double* re, double* im);
