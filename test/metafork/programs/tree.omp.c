/* A tree is walked by tasks that nobody waits for but the region's end. */
#include <stdio.h>
#include <stdlib.h>
struct node { int key, depth; struct node *left, *right; };
static struct node *insert(struct node *at, int key) {
  if (!at) { at = calloc(1, sizeof *at); at->key = key; return at; }
  if (key < at->key) at->left = insert(at->left, key);
  else at->right = insert(at->right, key);
  return at;
}
static void mark(struct node *at, int depth) {
  at->depth = depth;
  if (at->left) {
#pragma omp task
    mark(at->left, depth + 1);
  }
  if (at->right)
#pragma omp task
    mark(at->right, depth + 1);
}
static int sum(struct node *at) { return at ? at->key * at->depth + sum(at->left) + sum(at->right) : 0; }
int main(void) {
  struct node *root = NULL;
  for (int i = 0; i < 200; ++i) root = insert(root, (i * 73) % 211);
#pragma omp parallel
  {
#pragma omp single nowait
    mark(root, 1);
  }
  printf("%d\n", sum(root));
  return 0;
}
