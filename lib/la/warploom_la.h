/* Linear algebra for programs that Warploom translates, and for any other: dense and sparse, single (S) and
   double (D) precision. The same calls run on cuBLAS and cuSPARSE (link warploom_la_cuda) and without a GPU
   on OpenBLAS (link warploom_la). docs/linear-algebra.md says what each function computes.

   Matrices are row-major and contiguous. Operands may lie anywhere: in the CUDA form, those that the device
   does not see are copied for the call. Every function returns a status, reports what went wrong
   (RTSetErrorHandler) and then leaves its results as they were. Functions may be called from several threads
   at once. */
#ifndef WARPLOOM_LA_H
#define WARPLOOM_LA_H

#ifdef __cplusplus
#define RT_DEFAULT(value) = value
extern "C" {
#else
#define RT_DEFAULT(value)
#endif

typedef enum RTstatus {
  RT_OK = 0,
  RT_NOT_INITIALISED = 1, /* called before RTAPIInit or after RTAPIFinalize */
  RT_INVALID_VALUE = 2, /* an argument that cannot be: a null pointer, sizes that do not fit, a dead array */
  RT_ALLOCATION_FAILED = 3,
  RT_BAD_FILE = 4,         /* a file cannot be read, or is no Matrix Market file, or lies about itself */
  RT_SINGULAR = 5,         /* a zero on a diagonal that is divided by */
  RT_NOT_CONVERGED = 6,    /* a solver stopped before it reached the tolerance; its last iterate is kept */
  RT_EXECUTION_FAILED = 7, /* a vendor's library or the device reported an error */
  RT_NOT_SUPPORTED = 8     /* the library has no such operation in this format */
} RTstatus;

/* How a sparse matrix is kept for an operation. RTHYB: the regular part of all rows as ELL, the rest as
   coordinates. RTSELL: sliced ELL, 32 rows a slice. RTAUTO: one of the others, by the lengths of the rows. */
typedef enum RTformat { RTCSR = 0, RTBSR = 1, RTHYB = 2, RTSELL = 3, RTAUTO = 4 } RTformat;

/* A sparse matrix as coordinates, sorted by rows and then columns, counted from 0. RT...Create,
   ...LoadFromFile and the sparse products fill it in; ...Destroy empties it. What it points to is theirs. A
   copy of the struct is the same matrix. `id` is 0 for an empty one and is never used again after Destroy. */
typedef struct RTspSArray {
  int m, n, nnz;
  const int* row_indices;
  const int* column_indices;
  const float* values;
  unsigned long long id;
} RTspSArray;
typedef struct RTspDArray {
  int m, n, nnz;
  const int* row_indices;
  const int* column_indices;
  const double* values;
  unsigned long long id;
} RTspDArray;

/* Makes the libraries' handles. Calls may be nested: the last RTAPIFinalize releases them, and all sparse
   arrays that were not destroyed. */
RTstatus RTAPIInit(void);
RTstatus RTAPIFinalize(void);

/* Called with every error, in the thread where it happened; NULL: "function error: cause" on standard error.
   The handler that was set before is returned. */
typedef void (*RTErrorHandler)(RTstatus status, const char* function, const char* cause);
RTErrorHandler RTSetErrorHandler(RTErrorHandler handler);
/* What this thread's last call that failed has reported; "" where none has. */
const char* RTLastError(void);
/* The status in words. */
const char* RTStatusText(RTstatus status);

/* ---- dense
 * -------------------------------------------------------------------------------------------------------- */

/* C[m x n] = A[m x k] * B[k x n] */
RTstatus RTdSMM(float* C, const float* A, const float* B, int m, int n, int k);
RTstatus RTdDMM(double* C, const double* A, const double* B, int m, int n, int k);
/* C[m] = A[m x n] * B[n] */
RTstatus RTdSMV(float* C, const float* A, const float* B, int m, int n);
RTstatus RTdDMV(double* C, const double* A, const double* B, int m, int n);
/* C[m x n] = transpose of A[n x m] */
RTstatus RTdSMT(float* C, const float* A, int m, int n);
RTstatus RTdDMT(double* C, const double* A, int m, int n);
/* C[m x n] = outer product of A[m] and B[n] */
RTstatus RTdSVV(float* C, const float* A, int m, const float* B, int n);
RTstatus RTdDVV(double* C, const double* A, int m, const double* B, int n);
/* *r = sum of C[i] * A[i] */
RTstatus RTdSDOT(const float* C, const float* A, int n, float* r);
RTstatus RTdDDOT(const double* C, const double* A, int n, double* r);

/* C[m x n] = alpha * A + beta * B; C may be A or B */
RTstatus RTdSADD(float* C, float alpha, const float* A, float beta, const float* B, int m, int n);
RTstatus RTdDADD(double* C, double alpha, const double* A, double beta, const double* B, int m, int n);
/* Y[n] += alpha * X[n] */
RTstatus RTdSAXPY(float* Y, float alpha, const float* X, int n);
RTstatus RTdDAXPY(double* Y, double alpha, const double* X, int n);
/* X[n] *= alpha */
RTstatus RTdSSCAL(float* X, float alpha, int n);
RTstatus RTdDSCAL(double* X, double alpha, int n);
/* *r = Euclidean length of X[n] */
RTstatus RTdSNRM(const float* X, int n, float* r);
RTstatus RTdDNRM(const double* X, int n, double* r);

/* Which half of a triangular matrix is read, and whether its diagonal is taken to be ones. */
typedef enum RTtriangle { RTLOWER = 0, RTUPPER = 1, RTLOWER_UNIT = 2, RTUPPER_UNIT = 3 } RTtriangle;
/* X[n x k] with A[n x n] * X = B[n x k]; X may be B */
RTstatus RTdSTRS(float* X, const float* A, const float* B, int n, int k, int triangle);
RTstatus RTdDTRS(double* X, const double* A, const double* B, int n, int k, int triangle);

/* The same operation `count` times. Strided: operand p begins p * stride elements behind the first; a stride
   of an input may be 0. Batched: operand p is at A[p]. Results must not overlap anything. */
RTstatus RTdSMMStrided(float* C, long long strideC, const float* A, long long strideA, const float* B,
                       long long strideB, int m, int n, int k, int count);
RTstatus RTdDMMStrided(double* C, long long strideC, const double* A, long long strideA, const double* B,
                       long long strideB, int m, int n, int k, int count);
RTstatus RTdSMMBatched(float* const* C, const float* const* A, const float* const* B, int m, int n, int k,
                       int count);
RTstatus RTdDMMBatched(double* const* C, const double* const* A, const double* const* B, int m, int n, int k,
                       int count);
RTstatus RTdSMVStrided(float* C, long long strideC, const float* A, long long strideA, const float* B,
                       long long strideB, int m, int n, int count);
RTstatus RTdDMVStrided(double* C, long long strideC, const double* A, long long strideA, const double* B,
                       long long strideB, int m, int n, int count);

/* ---- sparse
 * ------------------------------------------------------------------------------------------------------- */

/* The elements of A[m x n] that are not zero */
RTstatus RTspSArrayCreate(const float* A, RTspSArray* array, int m, int n);
RTstatus RTspDArrayCreate(const double* A, RTspDArray* array, int m, int n);
/* Reads a Matrix Market file */
RTstatus RTspSArrayLoadFromFile(const char* filename, RTspSArray* array);
RTstatus RTspDArrayLoadFromFile(const char* filename, RTspDArray* array);
/* Writes one, general, with values that read back as they are; an existing file is replaced only by a whole
 * one */
RTstatus RTspSArraySaveToFile(const char* filename, const RTspSArray* array);
RTstatus RTspDArraySaveToFile(const char* filename, const RTspDArray* array);
/* From m x n coordinates in any order, none of them twice */
RTstatus RTspSArrayFromCoordinates(RTspSArray* array, int m, int n, int nnz, const int* rows,
                                   const int* columns, const float* values);
RTstatus RTspDArrayFromCoordinates(RTspDArray* array, int m, int n, int nnz, const int* rows,
                                   const int* columns, const double* values);
RTstatus RTspSArrayDestroy(RTspSArray* array);
RTstatus RTspDArrayDestroy(RTspDArray* array);

/* Sparse C[m x n] = sparse A[m x k] * sparse B[k x n]; RTCSR alone. C is filled in anew */
RTstatus RTspSMM(RTspSArray* C, const RTspSArray* A, const RTspSArray* B, int m, int n, int k,
                 int format RT_DEFAULT(RTCSR));
RTstatus RTspDMM(RTspDArray* C, const RTspDArray* A, const RTspDArray* B, int m, int n, int k,
                 int format RT_DEFAULT(RTCSR));
/* Sparse C[m x n] = alpha * A + beta * B. C is filled in anew */
RTstatus RTspSADD(RTspSArray* C, float alpha, const RTspSArray* A, float beta, const RTspSArray* B);
RTstatus RTspDADD(RTspDArray* C, double alpha, const RTspDArray* A, double beta, const RTspDArray* B);
/* Dense C[m x n] = sparse A[m x k] * dense B[k x n]; RTCSR, RTBSR or RTAUTO */
RTstatus RTspdSMM(float* C, const RTspSArray* A, const float* B, int m, int n, int k,
                  int format RT_DEFAULT(RTCSR));
RTstatus RTspdDMM(double* C, const RTspDArray* A, const double* B, int m, int n, int k,
                  int format RT_DEFAULT(RTCSR));
/* Dense C[m] = sparse A[m x n] * dense B[n]; any format */
RTstatus RTspSMV(float* C, const RTspSArray* A, const float* B, int m, int n, int format RT_DEFAULT(RTHYB));
RTstatus RTspDMV(double* C, const RTspDArray* A, const double* B, int m, int n, int format RT_DEFAULT(RTHYB));
/* X[n] with A * X = B[n], where only the given half of sparse A[n x n] is read; X may be B */
RTstatus RTspSTRS(float* X, const RTspSArray* A, const float* B, int n, int triangle);
RTstatus RTspDTRS(double* X, const RTspDArray* A, const double* B, int n, int triangle);

/* What RTAUTO takes for a product with a vector, and the row statistics it looks at. */
typedef struct RTrowStatistics {
  int shortest, longest;
  double mean, deviation;
  double block_fill;    /* entries per element of the 4 x 4 blocks that have one */
  double slice_padding; /* elements of sliced ELL per entry */
} RTrowStatistics;
RTstatus RTspSChooseFormat(const RTspSArray* A, int* format, RTrowStatistics* statistics);
RTstatus RTspDChooseFormat(const RTspDArray* A, int* format, RTrowStatistics* statistics);

/* ---- solvers: X with sparse A[n x n] * X = B[n]
 * ------------------------------------------------------------------- */

typedef enum RTpreconditioner { RTNONE = 0, RTDIAGONAL = 1, RTILU0 = 2 } RTpreconditioner;
/* A zero, or no struct at all, stands for what is in parentheses. */
typedef struct RTsolverOptions {
  int max_iterations; /* (1000) */
  double tolerance;   /* of |B - A X| / |B| (1e-6 single, 1e-10 double) */
  int restart;        /* of GMRES (30) */
  int preconditioner; /* of RT...PCG, BiCGSTAB and GMRES (none; RT...PCG: the diagonal) */
  int format;         /* of A (RTCSR) */
} RTsolverOptions;
typedef struct RTsolverReport {
  int iterations;
  double residual; /* |B - A X| / |B| as the solver knows it */
  int converged;
} RTsolverReport;

/* X holds the first guess, and then the solution. `options` and `report` may be NULL. */
RTstatus RTspSJacobi(float* X, const RTspSArray* A, const float* B, int n, const RTsolverOptions* options,
                     RTsolverReport* report);
RTstatus RTspDJacobi(double* X, const RTspDArray* A, const double* B, int n, const RTsolverOptions* options,
                     RTsolverReport* report);
RTstatus RTspSCG(float* X, const RTspSArray* A, const float* B, int n, const RTsolverOptions* options,
                 RTsolverReport* report);
RTstatus RTspDCG(double* X, const RTspDArray* A, const double* B, int n, const RTsolverOptions* options,
                 RTsolverReport* report);
RTstatus RTspSPCG(float* X, const RTspSArray* A, const float* B, int n, const RTsolverOptions* options,
                  RTsolverReport* report);
RTstatus RTspDPCG(double* X, const RTspDArray* A, const double* B, int n, const RTsolverOptions* options,
                  RTsolverReport* report);
RTstatus RTspSBiCGSTAB(float* X, const RTspSArray* A, const float* B, int n, const RTsolverOptions* options,
                       RTsolverReport* report);
RTstatus RTspDBiCGSTAB(double* X, const RTspDArray* A, const double* B, int n, const RTsolverOptions* options,
                       RTsolverReport* report);
RTstatus RTspSGMRES(float* X, const RTspSArray* A, const float* B, int n, const RTsolverOptions* options,
                    RTsolverReport* report);
RTstatus RTspDGMRES(double* X, const RTspDArray* A, const double* B, int n, const RTsolverOptions* options,
                    RTsolverReport* report);

#ifdef __cplusplus
}
#else
/* C has no default arguments; these give it those of the formats. */
#define RT_PICK_6(f, C, A, B, m, n, k, format, ...) (f)(C, A, B, m, n, k, format)
#define RT_PICK_5(f, C, A, B, m, n, format, ...) (f)(C, A, B, m, n, format)
#define RTspSMM(C, A, B, m, n, ...) RT_PICK_6(RTspSMM, C, A, B, m, n, __VA_ARGS__, RTCSR, 0)
#define RTspDMM(C, A, B, m, n, ...) RT_PICK_6(RTspDMM, C, A, B, m, n, __VA_ARGS__, RTCSR, 0)
#define RTspdSMM(C, A, B, m, n, ...) RT_PICK_6(RTspdSMM, C, A, B, m, n, __VA_ARGS__, RTCSR, 0)
#define RTspdDMM(C, A, B, m, n, ...) RT_PICK_6(RTspdDMM, C, A, B, m, n, __VA_ARGS__, RTCSR, 0)
#define RTspSMV(C, A, B, m, ...) RT_PICK_5(RTspSMV, C, A, B, m, __VA_ARGS__, RTHYB, 0)
#define RTspDMV(C, A, B, m, ...) RT_PICK_5(RTspDMV, C, A, B, m, __VA_ARGS__, RTHYB, 0)
#endif

/* Table 5.1 of RT-CUDA calls the products with a vector by these names. */
#define RTspdSMV RTspSMV
#define RTspdDMV RTspDMV

#endif
