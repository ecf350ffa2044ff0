// An image with specks, n rows of m pixels, and a filter that takes them away and keeps edges.
struct filter {
  int n, m;
  float *image, *change;                // the logarithm of the pixels' values, and how readily each spreads
  float *north, *south, *west, *east;   // differences to the neighbours
};
double statistics(const struct filter* f, double* variance);
void gradients(struct filter* f, float scale);
void spread(struct filter* f, float step);
