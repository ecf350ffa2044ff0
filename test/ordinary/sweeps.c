/* A solver in the style of the parallel benchmarks of the nineties: everything global, five unknowns per cell, line sweeps along each
   axis with a small block matrix in every cell, constants set by a routine, norms at the end. */
#include <math.h>
#include <stdio.h>

#define IMAX 14
#define JMAX 13
#define KMAX 12

static int grid_points[3];
static double dt, tx2, ty2, tz2, c1 = 1.4, c2 = 0.4, dssp;
static double u[KMAX][JMAX + 1][IMAX + 1][5], rhs[KMAX][JMAX + 1][IMAX + 1][5], forcing[KMAX][JMAX + 1][IMAX + 1][5];
static double us[KMAX][JMAX + 1][IMAX + 1], qs[KMAX][JMAX + 1][IMAX + 1], rho_i[KMAX][JMAX + 1][IMAX + 1], speed[KMAX][JMAX + 1][IMAX + 1];
static double lhs[IMAX + 1][IMAX + 1][5];
static double ce[5][4] = {{2.0, 0.0, 0.0, 4.0}, {1.0, 0.0, 0.0, 0.0}, {2.0, 2.0, 0.0, 0.0}, {2.0, 2.0, 0.0, 0.0}, {5.0, 4.0, 3.0, 2.0}};

static void set_constants(void) {
  dt = 0.015;
  tx2 = 1.0 / (2.0 * (1.0 / (grid_points[0] - 1)));
  ty2 = 1.0 / (2.0 * (1.0 / (grid_points[1] - 1)));
  tz2 = 1.0 / (2.0 * (1.0 / (grid_points[2] - 1)));
  dssp = 0.25 * 0.75;
}

static void exact_solution(double xi, double eta, double zeta, double dtemp[5]) {
  int m;
  for (m = 0; m < 5; m++) dtemp[m] = ce[m][0] + xi * (ce[m][1] + xi * ce[m][3]) + eta * (ce[m][2] + eta * 0.5) + zeta * 0.25;
}

static void initialize(void) {
  int i, j, k, m;
  for (k = 0; k < grid_points[2]; k++) { /* region: initialize */
    double zeta = (double)k / (grid_points[2] - 1);
    for (j = 0; j < grid_points[1]; j++) {
      double eta = (double)j / (grid_points[1] - 1);
      for (i = 0; i < grid_points[0]; i++) {
        double xi = (double)i / (grid_points[0] - 1), temp[5];
        exact_solution(xi, eta, zeta, temp);
        for (m = 0; m < 5; m++) {
          u[k][j][i][m] = temp[m];
          forcing[k][j][i][m] = 0.01 * (m - 2) * temp[4 - m];
        }
      }
    }
  }
}

static void compute_rhs(void) {
  int i, j, k, m;
  double aux, rho_inv, uijk, up1, um1;
  for (k = 0; k < grid_points[2]; k++) /* region: compute_rhs */
    for (j = 0; j < grid_points[1]; j++)
      for (i = 0; i < grid_points[0]; i++) {
        rho_inv = 1.0 / u[k][j][i][0];
        rho_i[k][j][i] = rho_inv;
        us[k][j][i] = u[k][j][i][1] * rho_inv;
        qs[k][j][i] = 0.5 * (u[k][j][i][1] * u[k][j][i][1] + u[k][j][i][2] * u[k][j][i][2] + u[k][j][i][3] * u[k][j][i][3]) * rho_inv;
        aux = c1 * c2 * rho_inv * (u[k][j][i][4] - qs[k][j][i]);
        speed[k][j][i] = sqrt(fabs(aux));
      }
  for (k = 0; k < grid_points[2]; k++)
    for (j = 0; j < grid_points[1]; j++)
      for (i = 0; i < grid_points[0]; i++)
        for (m = 0; m < 5; m++) rhs[k][j][i][m] = forcing[k][j][i][m];
  for (k = 1; k <= grid_points[2] - 2; k++)
    for (j = 1; j <= grid_points[1] - 2; j++)
      for (i = 1; i <= grid_points[0] - 2; i++) {
        uijk = us[k][j][i];
        up1 = us[k][j][i + 1];
        um1 = us[k][j][i - 1];
        rhs[k][j][i][0] = rhs[k][j][i][0] - tx2 * (u[k][j][i + 1][1] - u[k][j][i - 1][1]);
        rhs[k][j][i][1] = rhs[k][j][i][1] + c2 * (up1 - 2.0 * uijk + um1) - tx2 * (u[k][j][i + 1][1] * up1 - u[k][j][i - 1][1] * um1);
        rhs[k][j][i][4] = rhs[k][j][i][4] + 0.1 * (qs[k][j][i + 1] - 2.0 * qs[k][j][i] + qs[k][j][i - 1]);
      }
  for (k = 1; k <= grid_points[2] - 2; k++)
    for (j = 1; j <= grid_points[1] - 2; j++)
      for (i = 3; i <= grid_points[0] - 4; i++)
        for (m = 0; m < 5; m++)
          rhs[k][j][i][m] = rhs[k][j][i][m] - dssp * (u[k][j][i - 2][m] - 4.0 * u[k][j][i - 1][m] + 6.0 * u[k][j][i][m] - 4.0 * u[k][j][i + 1][m] + u[k][j][i + 2][m]);
  for (k = 1; k <= grid_points[2] - 2; k++)
    for (j = 1; j <= grid_points[1] - 2; j++)
      for (i = 1; i <= grid_points[0] - 2; i++)
        for (m = 0; m < 5; m++) rhs[k][j][i][m] = rhs[k][j][i][m] * dt;
}

static void x_solve(void) {
  int i, j, k, m, n;
  double fac;
  for (k = 1; k <= grid_points[2] - 2; k++) { /* region: x_solve */
    for (j = 1; j <= grid_points[1] - 2; j++)
      for (i = 0; i <= grid_points[0] - 1; i++) {
        lhs[j][i][0] = 0.0;
        lhs[j][i][1] = -dt * 0.1 * rho_i[k][j][i];
        lhs[j][i][2] = 1.0 + 0.2 * dt * speed[k][j][i];
        lhs[j][i][3] = -dt * 0.1 * us[k][j][i];
        lhs[j][i][4] = 0.0;
      }
    for (i = 0; i <= grid_points[0] - 3; i++) {
      int i1 = i + 1, i2 = i + 2;
      for (j = 1; j <= grid_points[1] - 2; j++) {
        fac = 1.0 / lhs[j][i][2];
        lhs[j][i][3] = fac * lhs[j][i][3];
        lhs[j][i][4] = fac * lhs[j][i][4];
        for (m = 0; m < 3; m++) rhs[k][j][i][m] = fac * rhs[k][j][i][m];
        lhs[j][i1][2] = lhs[j][i1][2] - lhs[j][i1][1] * lhs[j][i][3];
        lhs[j][i1][3] = lhs[j][i1][3] - lhs[j][i1][1] * lhs[j][i][4];
        for (m = 0; m < 3; m++) rhs[k][j][i1][m] = rhs[k][j][i1][m] - lhs[j][i1][1] * rhs[k][j][i][m];
        lhs[j][i2][1] = lhs[j][i2][1] - lhs[j][i2][0] * lhs[j][i][3];
        for (m = 0; m < 3; m++) rhs[k][j][i2][m] = rhs[k][j][i2][m] - lhs[j][i2][0] * rhs[k][j][i][m];
      }
    }
    for (i = grid_points[0] - 3; i >= 0; i--)
      for (j = 1; j <= grid_points[1] - 2; j++)
        for (m = 0, n = 0; m < 3; m++, n++)
          rhs[k][j][i][m] = rhs[k][j][i][m] - lhs[j][i][3] * rhs[k][j][i + 1][m] - lhs[j][i][4] * rhs[k][j][i + 2][n];
  }
}

static void add(void) {
  int i, j, k, m;
  for (k = 1; k <= grid_points[2] - 2; k++) /* region: add */
    for (j = 1; j <= grid_points[1] - 2; j++)
      for (i = 1; i <= grid_points[0] - 2; i++)
        for (m = 0; m < 5; m++) u[k][j][i][m] = u[k][j][i][m] + rhs[k][j][i][m];
}

static void rhs_norm(double rms[5]) {
  int i, j, k, d, m;
  double add_;
  for (m = 0; m < 5; m++) rms[m] = 0.0; /* region: rhs_norm */
  for (k = 1; k <= grid_points[2] - 2; k++)
    for (j = 1; j <= grid_points[1] - 2; j++)
      for (i = 1; i <= grid_points[0] - 2; i++)
        for (m = 0; m < 5; m++) {
          add_ = rhs[k][j][i][m];
          rms[m] = rms[m] + add_ * add_;
        }
  for (m = 0; m < 5; m++) {
    for (d = 0; d < 3; d++) rms[m] = rms[m] / (double)(grid_points[d] - 2);
    rms[m] = sqrt(rms[m]);
  }
}

int main(void) {
  double rms[5];
  int step, m;
  grid_points[0] = IMAX;
  grid_points[1] = JMAX;
  grid_points[2] = KMAX;
  set_constants();
  initialize();
  for (step = 1; step <= 4; step++) {
    compute_rhs();
    x_solve();
    add();
  }
  compute_rhs();
  rhs_norm(rms);
  for (m = 0; m < 5; m++) printf("%.8e\n", rms[m]);
  return 0;
}
