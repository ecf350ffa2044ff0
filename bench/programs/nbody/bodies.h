// Bodies as separate arrays.
typedef struct {
  int count;
  double *x, *y, *z, *vx, *vy, *vz, *mass;
} Bodies;
void kick(Bodies* b, double time);
void drift(Bodies* b, double time);
double kinetic(const Bodies* b);
