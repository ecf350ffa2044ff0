#include "filter.h"

// The mean of the image, and its variance.
double statistics(const struct filter* f, double* variance) {
  int count = f->n * f->m;
  const float* image = f->image;
  double sum = 0, squares = 0;
#pragma omp parallel for reduction(+ : sum, squares)
  for (int k = 0; k < count; k++) {
    sum += image[k];
    squares += (double)image[k] * image[k];
  }
  double mean = sum / count;
  *variance = squares / count - mean * mean;
  return mean;
}

// Differences to the four neighbours, and from them how readily a pixel spreads: little at edges.
void gradients(struct filter* f, float scale) {
  int n = f->n, m = f->m;
  const float* restrict image = f->image;
  float *restrict north = f->north, *restrict south = f->south, *restrict west = f->west, *restrict east = f->east;
  float* restrict change = f->change;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int up = i > 0 ? i - 1 : 0, down = i < n - 1 ? i + 1 : n - 1;
      int left = j > 0 ? j - 1 : 0, right = j < m - 1 ? j + 1 : m - 1;
      float here = image[i * m + j];
      float dn = image[up * m + j] - here, ds = image[down * m + j] - here;
      float dw = image[i * m + left] - here, de = image[i * m + right] - here;
      float g = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
      float l = (dn + ds + dw + de) / here;
      float top = 0.5f * g - 0.0625f * l * l, bottom = 1 + 0.25f * l;
      float q = top / (bottom * bottom);
      float c = 1 / (1 + (q - scale) / (scale * (1 + scale)));
      north[i * m + j] = dn;
      south[i * m + j] = ds;
      west[i * m + j] = dw;
      east[i * m + j] = de;
      change[i * m + j] = c < 0 ? 0 : c > 1 ? 1 : c;
    }
}

// One step of diffusion.
void spread(struct filter* f, float step) {
  int n = f->n, m = f->m;
  float* restrict image = f->image;
  const float *restrict north = f->north, *restrict south = f->south, *restrict west = f->west, *restrict east = f->east;
  const float* restrict change = f->change;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int down = i < n - 1 ? i + 1 : n - 1, right = j < m - 1 ? j + 1 : m - 1;
      float here = change[i * m + j];
      float flow = here * north[i * m + j] + change[down * m + j] * south[i * m + j] + here * west[i * m + j] +
                   change[i * m + right] * east[i * m + j];
      image[i * m + j] += 0.25f * step * flow;
    }
}
