// Loops through index arrays: gathers, scatters, sums and updates where data say; and loops of which even the places depend on what they
// compute. HOW says what becomes of each; `host`: nothing of it runs in parallel.
#ifndef SIZE
#define SIZE 64
#endif
double a[SIZE], b[SIZE], c[SIZE], m[24][SIZE], s;
int p[SIZE], q[SIZE], r[SIZE], w[SIZE], cells[24][SIZE];
float f[SIZE];

void gather(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++)
    a[i] = b[p[i]] + 1;
}
void gather_through_two(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++)
    a[i] = b[p[q[i]]] * 0.5;
}
// NONAFFINE
void scatter(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    a[p[i]] = b[i] + i;
}
// NONAFFINE
void scatter_through_two(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    a[p[q[i]]] = b[i] + i;
}
// NONAFFINE
void scatter_downwards(int n) { /* HOW: levels */
  for (int i = n - 1; i >= 0; i--)
    a[p[i]] = b[i] - i;
}
// NONAFFINE
void scatter_every_third(int n) { /* HOW: levels */
  for (int i = 0; i < n; i += 3)
    a[p[i]] = b[i] - i;
}
// NONAFFINE
void moved(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    a[p[i]] = a[q[i]];
}
// NONAFFINE
void moved_and_added(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    a[p[i]] = a[q[i]] * 0.5 + a[r[i]] * 0.25;
}
// NONAFFINE
void into_order(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    a[i] = a[p[i]] * 0.5 + 1;
}
// NONAFFINE
void two_iterations_back(int n) { /* HOW: levels */
  for (int i = 2; i < n; i++)
    a[p[i]] = a[p[i - 2]] + 1;
}
// NONAFFINE
void beside_the_place(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    a[p[i] + 1] = a[p[i]] * 0.5 + b[i];
}
// NONAFFINE
void exchanged(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++) {
    double x = a[p[i]];
    a[p[i]] = a[q[i]];
    a[q[i]] = x;
  }
}
// NONAFFINE
void sorted_pairs(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    if (a[p[i]] > a[q[i]]) {
      double x = a[p[i]];
      a[p[i]] = a[q[i]];
      a[q[i]] = x;
    }
}
// NONAFFINE
void where_a_list_says(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    if (w[i] % 2 == 0) a[p[i]] = b[i] + a[q[i]] * 0.5;
}
// NONAFFINE
void one_of_two_places(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++) {
    int to = p[i];
    if (w[i] % 3 == 0) to = q[i];
    a[to] = a[i] * 0.5 + b[i];
  }
}
// NONAFFINE
void two_arrays(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++) {
    a[p[i]] = b[q[i]] * 0.5 + 1;
    b[r[i]] = a[q[i]] * 0.5 - 1;
  }
}
// NONAFFINE
void some_of_each(int n) { /* HOW: levels */
  for (int i = 0; i < n / 4; i++)
    for (int k = 0; k < 4; k++)
      a[p[4 * i + k]] = a[q[4 * i + k]] * 0.5 + k;
}
// NONAFFINE
void cells_of_a_matrix(int n) { /* HOW: parallel */
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][cells[i][j] % 24] = m[i][j % 24] * 0.5 + 1;
}
// NONAFFINE
void again_and_again(int n) { /* HOW: levels */
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      a[p[i]] = a[q[i]] * 0.5 + 1;
}
// NONAFFINE
void of_small_numbers(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    f[p[i]] = f[q[i]] * 0.5f + 1;
}
// NONAFFINE
void sum_where_data_say(int n) { /* HOW: reduce */
  for (int i = 0; i < n; i++)
    w[p[i]] += q[i];
}
// NONAFFINE
void greatest_where_data_say(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++)
    if (b[i] > a[p[i]]) a[p[i]] = b[i];
}
// NONAFFINE
void sum_and_read(int n) { /* HOW: levels */
  for (int i = 0; i < n; i++) {
    a[p[i]] += b[i];
    c[i] = a[p[i]];
  }
}
// NONAFFINE
void product_where_data_say(int n) { /* HOW: reduce */
  for (int i = 0; i < n; i++)
    r[p[i]] ^= q[i];
}
// NONAFFINE
void places_are_written(int n) { /* HOW: in part */
  for (int i = 0; i < n; i++) {
    p[i] = q[i];
    a[p[i]] = a[r[i]] * 0.5 + 1;
  }
}
// NONAFFINE
void list_onto_itself(int n) { /* HOW: host */
  for (int i = 0; i < n; i++)
    p[p[i]] = q[i];
}
// NONAFFINE
void pointer_jumping(int n) { /* HOW: host */
  for (int i = 0; i < n; i++)
    p[i] = p[p[i]];
}
// NONAFFINE
void union_of_trees(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    int x = p[q[i]], y = p[r[i]];
    p[x] = y;
  }
}
// NONAFFINE
void chased(int n) { /* HOW: host */
  int at = 0;
  for (int i = 0; i < n; i++) {
    at = p[at];
    a[at] = a[at] * 0.5 + i;
  }
}
// NONAFFINE
void place_by_value(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    int at = a[i] > 0 ? (int)a[i] : 0;
    a[at] = b[i];
  }
}
// NONAFFINE
void sum_that_chooses(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    s = s * s * 0.0625 + a[p[i]];
    a[q[i]] = s;
  }
}

#ifdef WL_TRACE
int main(void) {
  RUN(gather(n)); RUN(gather_through_two(n)); RUN(scatter(n)); RUN(scatter_through_two(n)); RUN(scatter_downwards(n)); RUN(scatter_every_third(n));
  RUN(moved(n)); RUN(moved_and_added(n)); RUN(into_order(n)); RUN(two_iterations_back(n)); RUN(beside_the_place(n)); RUN(exchanged(n));
  RUN(sorted_pairs(n)); RUN(where_a_list_says(n)); RUN(one_of_two_places(n)); RUN(two_arrays(n)); RUN(some_of_each(n)); RUN(cells_of_a_matrix(n));
  RUN(again_and_again(n)); RUN(of_small_numbers(n)); RUN(sum_where_data_say(n)); RUN(greatest_where_data_say(n)); RUN(sum_and_read(n));
  RUN(product_where_data_say(n)); RUN(places_are_written(n)); RUN(list_onto_itself(n)); RUN(pointer_jumping(n)); RUN(union_of_trees(n));
  RUN(chased(n)); RUN(place_by_value(n)); RUN(sum_that_chooses(n));
}
#endif
