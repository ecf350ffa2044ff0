/* The vector kernels of conjugate gradients. */
#ifndef VECTORS_H
#define VECTORS_H

void subtract(int n, float *c, const float *a, const float *b);               /* c = a - b */
void copy(int n, float *c, const float *a);                                   /* c = a */
void scale_add(int n, float *c, float alpha, const float *a);                 /* c += alpha a */
void scale_subtract(int n, float *c, float alpha, const float *a);            /* c -= alpha a */
void scale_add_store(int n, float *p, float beta, const float *r);            /* p = beta p + r */

#endif
