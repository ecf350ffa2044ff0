/* Statistics of a text: letters, words, lines, numbers in lines of values; and ciphers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static void letters(const char *text, long n, long count[26]) {
  for (long i = 0; i < n; i++) { /* region: letters */
    unsigned char c = text[i];
    if (isalpha(c)) count[tolower(c) - 'a']++;
  }
}

static long words(const char *text, long n) {
  long found = 0;
  for (long i = 0; i < n; i++) /* region: words */
    if (!isspace((unsigned char)text[i]) && (i == 0 || isspace((unsigned char)text[i - 1]))) found++;
  return found;
}

static long names(const char *text, long n) {
  long found = 0;
  for (long i = 1; i < n; i++) /* region: names */
    found += is_name(text[i]) && !is_name(text[i - 1]) && !isdigit((unsigned char)text[i]);
  return found;
}

static void shout(char *text, long n) {
  for (long i = 0; i < n; i++) /* region: shout */
    text[i] = (char)toupper((unsigned char)text[i]);
}

static void rotate(const char *text, char *to, long n, int by) {
  for (long i = 0; i < n; i++) { /* region: rotate */
    unsigned char c = text[i];
    if (isupper(c))
      to[i] = (char)((c - 'A' + by) % 26 + 'A');
    else if (islower(c))
      to[i] = (char)((c - 'a' + by) % 26 + 'a');
    else
      to[i] = text[i];
  }
}

static int printable(const char *text, long n) {
  int all = 0;
  for (long i = 0; i < n; i++) /* region: printable */
    all += isprint((unsigned char)text[i]) ? 1 : ispunct((unsigned char)text[i]) ? 2 : 3;
  return all;
}

/* What the functions give is used as a number. */
static void classes(int *out) {
  for (int c = -1; c < 256; c++) /* region: classes */
    out[c + 1] = isalpha(c) + 3 * isdigit(c) + 5 * isxdigit(c) + 7 * iscntrl(c) + isblank(c) + toupper(c) - tolower(c);
}

int main(void) {
  const char *const vocabulary[] = {"grid ", "loop_2 ", "Kernel, ", "of\t", "37.5;", "\n", "Row[i] ", "x1 "};
  const long n = 40000;
  char *text = malloc(n + 16), *coded = malloc(n);
  unsigned seed = 7;
  for (long i = 0; i < n;) {
    seed = seed * 1664525u + 1013904223u;
    const char *word = vocabulary[seed >> 29];
    strcpy(text + i, word);
    i += (long)strlen(word);
  }
  for (long i = 100; i < n; i += 97) text[i] = (char)(i * 7);
  long count[26] = {0}, sum = 0;
  letters(text, n, count);
  for (int k = 0; k < 26; k++) sum += count[k] * (k + 1);
  printf("%ld letters' places, %ld words, %ld names, %d\n", sum, words(text, n), names(text, n), printable(text, n));
  rotate(text, coded, n, 3);
  rotate(coded, coded, n, 10);
  shout(text, n);
  for (long i = 0; i < n; i++) sum += text[i] * (i % 7) + coded[i] * (i % 11);
  int table[257];
  classes(table);
  for (int c = 0; c < 257; c++) sum += (long)table[c] * c;
  printf("%ld\n", sum);
  return 0;
}
