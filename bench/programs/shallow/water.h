// Shallow water in a square basin with walls: depth and discharge in the two directions, as arrays of one struct.
struct water {
  int n;
  double cell;                                // its length
  double *h, *hu, *hv;                        // at the cells' middles
  double *next_h, *next_hu, *next_hv;
};
double fastest(const struct water* w);
void step(struct water* w, double time);
void swap(struct water* w);
double volume(const struct water* w);
