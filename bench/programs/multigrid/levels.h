// Grids of 2^k + 1 points a side, from fine to coarse, for Poisson's equation with zeros at the boundary.
enum { most_levels = 16 };
struct level {
  int n;            // points a side
  double h;         // their distance
  double *u, *f, *r; // unknowns, right-hand side, residual
};
void smooth(const struct level* l, int colour);
void residual(const struct level* l);
void restrict_to(const struct level* fine, const struct level* coarse);
void prolong_from(const struct level* coarse, const struct level* fine);
double norm(const struct level* l);
