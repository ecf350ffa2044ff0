#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *left, *right; };
static struct node *grow(int value, int depth) {
  struct node *n = malloc(sizeof *n);
  n->value = value, n->left = n->right = NULL;
  if (depth > 0) {
    n->left = cilk_spawn grow(value * 2, depth - 1);
    n->right = grow(value * 2 + 1, depth - 2);
  }
  return n;
}
static long sum(const struct node *n) {
  long left, right;
  if (!n) return 0;
  cilk_scope {
    left = cilk_spawn sum(n->left);
    right = sum(n->right);
  }
  return left + right + n->value;
}
int main(void) {
  struct node *root = grow(1, 9);
  cilk_sync;
  printf("%ld\n", sum(root));
  return 0;
}
