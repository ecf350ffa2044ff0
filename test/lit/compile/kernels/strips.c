// Points of small elements: a thread takes neighbours, and moves them together where all are there.
// RUN: %warploom compile %s -o %t.cu -- -std=gnu11
// RUN: FileCheck --input-file=%t.cu %s
// CHECK: #define WARPLOOM_VECTOR 4
// CHECK: constexpr int STRIP = BLOCK * VECTOR;
// CHECK: constexpr int STRIP_X = BLOCK_X * VECTOR;
//
// CHECK-LABEL: axpy_{{[0-9]+}}(Index n
// CHECK: for (Index i0 = blockIdx.x * Index(STRIP); i0 < n; i0 += gridDim.x * Index(STRIP)) {
// CHECK-NEXT: if (n >= STRIP + i0) {
// CHECK-NEXT: float x_own[VECTOR];
// CHECK-NEXT: float y_own[VECTOR];
// CHECK-NEXT: {
// CHECK-NEXT: const Index i = i0 + threadIdx.x * VECTOR;
// CHECK-NEXT: warploom::loadVector(x_own, &x[i]);
// CHECK-NEXT: warploom::loadVector(y_own, &y[i]);
// CHECK-NEXT: }
// CHECK: for (int rx = 0; rx < VECTOR; ++rx) {
// CHECK-NEXT: const Index i = i0 + threadIdx.x * VECTOR + rx;
// CHECK-NEXT: y_own[rx] = a * x_own[rx] + y_own[rx];
// CHECK: warploom::storeVector(&y[i], y_own);
// CHECK: } else {
// CHECK: if (i < n) {
// CHECK-NEXT: y[i] = a * x[i] + y[i];
//
// What does not depend on the neighbour is loaded once; a temporary that does is each one's own.
// CHECK-LABEL: scale_{{[0-9]+}}(Index h
// CHECK: gain_own = gain[i];
// CHECK: for (int rx = 0; rx < VECTOR; ++rx) {
// CHECK-NOT: gain[
// CHECK: int light;
// CHECK-NEXT: light = in_own[rx] * gain_own
// CHECK-NEXT: out_own[rx] = light > 255 ? 255 : light;
//
// What a point reads of its neighbours' places stays in memory.
// CHECK-LABEL: box_{{[0-9]+}}(Index h
// CHECK: sum += in[(i + a) * w + j + b];
// CHECK: warploom::storeVector(&out[i * w + j], out_own);
//
// It is right for all sizes and wherever the pointers point, and for other numbers of neighbours.
// RUN: %warploom verify %s --sanitize -- -std=gnu11 -DMAIN | FileCheck --check-prefix=VERIFY %s
// RUN: %warploom verify %s --sanitize -- -std=gnu11 -DMAIN -DWARPLOOM_VECTOR=3 -DWARPLOOM_BLOCK=32 | FileCheck --check-prefix=VERIFY %s
// RUN: %warploom verify %s --sanitize -- -std=gnu11 -DMAIN -DWARPLOOM_VECTOR=1 | FileCheck --check-prefix=VERIFY %s
// VERIFY: 0 mismatches
// SHOWS: RT-9 RT-42 RT-43 RT-44 RT-46 RT-54
void axpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; i++)
    y[i] = a * x[i] + y[i];
}
void scale(int h, int w, const unsigned char* restrict in, const int* restrict gain, unsigned char* restrict out) {
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) {
      int light = in[i * w + j] * gain[i] / 16;
      out[i * w + j] = light > 255 ? 255 : light;
    }
}
void turn(int n, const unsigned char* restrict in, unsigned char* restrict out) {
  for (int i = 0; i < n; i++)
    out[n - 1 - i] = in[i];
  for (int i = n; i < 2 * n; i += 2)
    out[i] = in[i] + 1;
}
void box(int h, int w, const unsigned char* restrict in, unsigned char* restrict out) {
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      int sum = 0;
      for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
          sum += in[(i + a) * w + j + b];
      out[i * w + j] = sum / 9;
    }
}
#ifdef MAIN
static float x[5000], y[5000];
static unsigned char image[70][300], brighter[70][300], blurred[70][300];
static int gain[70];
int main(void) {
  static const int sizes[] = {0, 1, 3, 1023, 1024, 1025, 4096, 4900};
  for (int k = 0; k < 8; k++)
    for (int from = 0; from < 5; from++)
      axpy(sizes[k], 2, x + from, y + 3 * from);
  for (int i = 0; i < 70; i++) {
    gain[i] = i;
    for (int j = 0; j < 300; j++)
      image[i][j] = i * j;
  }
  for (int n = 0; n < 5000; n += 1 + n / 2)
    turn(n, image[0], brighter[0]);
  for (int w = 297; w <= 300; w++) {
    scale(70, w, image[0], gain, brighter[0]);
    box(70, w, brighter[0], blurred[0]);
  }
  return 0;
}
#endif
