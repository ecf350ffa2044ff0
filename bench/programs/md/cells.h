// Particles in a box without walls, and the lists of those in each cell of it.
struct particles {
  int count;
  double box;                          // its length
  double *x, *y, *z, *vx, *vy, *vz, *fx, *fy, *fz;
};
struct cells {
  int side;                            // cells along an edge, each at least as long as forces reach
  int *start, *member;                 // the members of cell c are member[start[c]] up to member[start[c + 1] - 1]
  int *of;                             // in which cell a particle is
};
static const double reach = 2.5;
void sort_in(const struct particles* p, struct cells* c);
double forces(struct particles* p, const struct cells* c);
void move(struct particles* p, double dt);
void push(struct particles* p, double dt);
double kinetic(const struct particles* p);
