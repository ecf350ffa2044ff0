/* Compares two files of results that programs wrote for BENCH_RAW: for every result, the largest difference relative to the
   largest magnitude in it. Status 0: all within the tolerance; 1: not.

     compare ONE OTHER TOLERANCE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  FILE *one = fopen(argv[1], "rb"), *other = fopen(argv[2], "rb");
  double tolerance = atof(argv[3]);
  if (!one || !other) {
    printf("there is no result to compare\n");
    return 1;
  }
  char name[65], again[65];
  unsigned long count, same;
  int results = 0, bad = 0;
  while (fscanf(one, "%64s %lu", name, &count) == 2 && fgetc(one) == '\n') {
    if (fscanf(other, "%64s %lu", again, &same) != 2 || fgetc(other) != '\n' || same != count) {
      printf("%s is not in both\n", name);
      return 1;
    }
    double largest = 0, difference = 0, a, b;
    for (unsigned long i = 0; i < count; i++) {
      if (fread(&a, sizeof a, 1, one) != 1 || fread(&b, sizeof b, 1, other) != 1) {
        printf("%s is cut off\n", name);
        return 1;
      }
      if (!isfinite(a) || !isfinite(b)) difference = INFINITY;
      if (fabs(a) > largest) largest = fabs(a);
      if (fabs(a - b) > difference) difference = fabs(a - b);
    }
    double relative = difference > 0 ? difference / (largest > 0 ? largest : 1) : 0;
    bad += !(relative <= tolerance);
    results++;
    printf("%s%s %.1e", results > 1 ? ", " : "", name, relative);
  }
  printf("\n");
  return bad || !results;
}
