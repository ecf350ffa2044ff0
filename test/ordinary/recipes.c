/* In the style of an old book of recipes: vectors and matrices from 1 on, allocated by helpers, `float **`, errors that end the program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define NR_END 1
#define TINY 1.0e-20
#define SQR(a) ((a) == 0.0 ? 0.0 : (a) * (a))

static void nrerror(char text[]) {
  fprintf(stderr, "%s\n", text);
  exit(1);
}

static double *dvector(long nl, long nh) {
  double *v = (double *)malloc((size_t)((nh - nl + 1 + NR_END) * sizeof(double)));
  if (!v) nrerror("allocation failure in dvector()");
  return v - nl + NR_END;
}

static double **dmatrix(long nrl, long nrh, long ncl, long nch) {
  long i, nrow = nrh - nrl + 1, ncol = nch - ncl + 1;
  double **m = (double **)malloc((size_t)((nrow + NR_END) * sizeof(double *)));
  if (!m) nrerror("allocation failure 1 in dmatrix()");
  m += NR_END;
  m -= nrl;
  m[nrl] = (double *)malloc((size_t)((nrow * ncol + NR_END) * sizeof(double)));
  if (!m[nrl]) nrerror("allocation failure 2 in dmatrix()");
  m[nrl] += NR_END;
  m[nrl] -= ncl;
  for (i = nrl + 1; i <= nrh; i++) m[i] = m[i - 1] + ncol;
  return m;
}

static void ludcmp(double **a, int n, int *indx, double *d) {
  int i, imax = 0, j, k;
  double big, dum, temp, *vv = dvector(1, n);
  *d = 1.0;
  for (i = 1; i <= n; i++) { /* region: ludcmp */
    big = 0.0;
    for (j = 1; j <= n; j++)
      if ((temp = fabs(a[i][j])) > big) big = temp;
    vv[i] = 1.0 / big;
  }
  for (k = 1; k <= n; k++) {
    big = 0.0;
    imax = k;
    for (i = k; i <= n; i++) {
      temp = vv[i] * fabs(a[i][k]);
      if (temp > big) {
        big = temp;
        imax = i;
      }
    }
    if (k != imax) {
      for (j = 1; j <= n; j++) {
        dum = a[imax][j];
        a[imax][j] = a[k][j];
        a[k][j] = dum;
      }
      *d = -(*d);
      vv[imax] = vv[k];
    }
    indx[k] = imax;
    if (a[k][k] == 0.0) a[k][k] = TINY;
    for (i = k + 1; i <= n; i++) {
      dum = a[i][k] /= a[k][k];
      for (j = k + 1; j <= n; j++) a[i][j] -= dum * a[k][j];
    }
  }
  free(vv + 1 - NR_END);
}

static void lubksb(double **a, int n, int *indx, double b[]) {
  int i, ii = 0, ip, j;
  double sum;
  for (i = 1; i <= n; i++) {
    ip = indx[i];
    sum = b[ip];
    b[ip] = b[i];
    if (ii)
      for (j = ii; j <= i - 1; j++) sum -= a[i][j] * b[j];
    else if (sum)
      ii = i;
    b[i] = sum;
  }
  for (i = n; i >= 1; i--) {
    sum = b[i];
    for (j = i + 1; j <= n; j++) sum -= a[i][j] * b[j];
    b[i] = sum / a[i][i];
  }
}

static void mprove_residual(double **a, int n, double b[], double x[], double r[]) {
  int i, j;
  for (i = 1; i <= n; i++) { /* region: mprove_residual */
    double sdp = -b[i];
    for (j = 1; j <= n; j++) sdp += a[i][j] * x[j];
    r[i] = sdp;
  }
}

static void covar(double **x, int ndat, int m, double mean[], double **c) {
  int i, j, k;
  for (j = 1; j <= m; j++) { /* region: covar */
    mean[j] = 0.0;
    for (i = 1; i <= ndat; i++) mean[j] += x[i][j];
    mean[j] /= ndat;
  }
  for (j = 1; j <= m; j++)
    for (k = 1; k <= m; k++) {
      c[j][k] = 0.0;
      for (i = 1; i <= ndat; i++) c[j][k] += (x[i][j] - mean[j]) * (x[i][k] - mean[k]);
      c[j][k] /= ndat - 1;
    }
}

static void relax2(double **u, double **rhs, int n) {
  int i, ipass, isw, j, jsw = 1;
  double h = 1.0 / (n - 1), h2 = h * h;
  for (ipass = 1; ipass <= 2; ipass++, jsw = 3 - jsw) {
    isw = jsw;
    for (j = 2; j < n; j++, isw = 3 - isw)
      for (i = isw + 1; i < n; i += 2) u[i][j] = 0.25 * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - h2 * rhs[i][j]);
  }
}

static void rstrct(double **uc, double **uf, int nc) {
  int ic, iff, jc, jf, ncc = 2 * nc - 1;
  for (jf = 3, jc = 2; jc < nc; jc++, jf += 2) /* region: rstrct */
    for (iff = 3, ic = 2; ic < nc; ic++, iff += 2)
      uc[ic][jc] = 0.5 * uf[iff][jf] + 0.125 * (uf[iff + 1][jf] + uf[iff - 1][jf] + uf[iff][jf + 1] + uf[iff][jf - 1]);
  for (jc = 1, ic = 1; ic <= nc; ic++, jc += 2) {
    uc[ic][1] = uf[jc][1];
    uc[ic][nc] = uf[jc][ncc];
  }
  for (jc = 1, ic = 1; ic <= nc; ic++, jc += 2) {
    uc[1][ic] = uf[1][jc];
    uc[nc][ic] = uf[ncc][jc];
  }
}

int main(void) {
  int i, j, n = 41, *indx = (int *)malloc((n + 1) * sizeof(int));
  double d, **a = dmatrix(1, n, 1, n), **lu = dmatrix(1, n, 1, n), *b = dvector(1, n), *x = dvector(1, n), *r = dvector(1, n);
  for (i = 1; i <= n; i++) {
    for (j = 1; j <= n; j++) lu[i][j] = a[i][j] = (i * 17 + j * 5) % 13 + (i == j ? 40.0 : 0.0);
    b[i] = x[i] = i % 7 - 3;
  }
  ludcmp(lu, n, indx, &d);
  lubksb(lu, n, indx, x);
  mprove_residual(a, n, b, x, r);
  double worst = 0, sum = 0;
  for (i = 1; i <= n; i++) {
    worst = fmax(worst, fabs(r[i]));
    sum += x[i] * i;
  }
  printf("%.1f %d %.6f\n", d, worst < 1e-12, sum);

  double **data = dmatrix(1, 60, 1, 9), **c = dmatrix(1, 9, 1, 9), *mean = dvector(1, 9);
  for (i = 1; i <= 60; i++)
    for (j = 1; j <= 9; j++) data[i][j] = (i * i + 3 * j) % 17;
  covar(data, 60, 9, mean, c);
  for (sum = 0, j = 1; j <= 9; j++) sum += mean[j] + c[j][j] - c[1][j];
  printf("%.6f\n", sum);

  int nf = 33, nc = 17;
  double **u = dmatrix(1, nf, 1, nf), **rhs = dmatrix(1, nf, 1, nf), **uc = dmatrix(1, nc, 1, nc);
  for (i = 1; i <= nf; i++)
    for (j = 1; j <= nf; j++) u[i][j] = 0, rhs[i][j] = (i + 2 * j) % 5;
  for (i = 0; i < 6; i++) relax2(u, rhs, nf);
  rstrct(uc, u, nc);
  for (sum = 0, i = 1; i <= nc; i++)
    for (j = 1; j <= nc; j++) sum += uc[i][j] * (i - j * 0.5);
  printf("%.8f %.3f\n", sum * 1e3, SQR(u[5][5]) * 1e6);
  return 0;
}
