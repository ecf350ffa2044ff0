#include <stdio.h>
#include <string.h>
struct text { char bytes[16]; int length; };
static void upper(struct text *t) { for (int i = 0; i < t->length; ++i) if (t->bytes[i] >= 'a') t->bytes[i] -= 32; }
int main(void) {
  struct text words[4];
  char first[4] = "abc";
  const char *given[] = { "warp", "weft", "shuttle", "loom" };
  int i, lengths[4];
#pragma omp parallel shared(words, given) private(i)
  {
#pragma omp for \
    schedule(dynamic, 1)
    for (i = 0; i < 4; ++i) { strcpy(words[i].bytes, given[i]); words[i].length = lengths[i] = (int)strlen(given[i]); }
#pragma omp for nowait
    for (i = 0; i < 4; ++i) upper(&words[i]);
#pragma omp master
    first[0] = 'x';
  }
  printf("%s %s %s %s %s %d\n", words[0].bytes, words[1].bytes, words[2].bytes, words[3].bytes, first, lengths[2]);
  return 0;
}
