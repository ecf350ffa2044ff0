// Vectors, and sparse matrices by rows.
typedef struct {
  int rows;
  int* start;
  int* column;
  double* value;
} Matrix;
double dot(int n, const double* a, const double* b);
void axpy(int n, double s, const double* x, double* y);
void xpay(int n, const double* x, double s, double* y);
void spmv(int rows, const int* start, const int* column, const double* value, const double* x, double* y);
