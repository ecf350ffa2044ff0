// Loops that hand values on by functions that compose, counters, compaction and searches; and loops of the same looks whose functions do
// not. HOW says what becomes of each; `host`: nothing of it runs in parallel.
#ifndef SIZE
#define SIZE 64
#endif
double a[SIZE], b[SIZE], c[SIZE], m[24][SIZE], s, best;
int p[SIZE], q[SIZE], count, at, found, row, column;
short h[SIZE];

void sums_so_far(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
}
void sums_before(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    b[i] = s;
    s += a[i] * c[i];
  }
}
void sums_in_place(int n) { /* HOW: scan */
  for (int i = 1; i < n; i++)
    p[i] += p[i - 1];
}
void sums_from_the_end(int n) { /* HOW: scan */
  for (int i = n - 1; i >= 0; i--)
    a[i] = a[i + 1] + b[i];
}
void every_other_sum(int n) { /* HOW: scan */
  for (int i = 2; i < n; i += 2)
    a[i] = a[i - 2] + b[i];
}
void decays(int n) { /* HOW: scan */
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * 0.5 + b[i];
}
void decays_by_data(int n) { /* HOW: scan */
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * (c[i] * 0.0625) + b[i];
}
void decays_along_rows(int n) { /* HOW: scan */
  for (int i = 0; i < 20; i++)
    for (int j = 1; j < n; j++)
      m[i][j] = m[i][j - 1] * 0.5 + m[i][j];
}
void sums_down_columns(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] += m[i - 1][j];
}
void products_so_far(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    count *= p[i] | 1;
    q[i] = count;
  }
}
void greatest_so_far(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    if (a[i] > best) best = a[i];
    b[i] = best;
  }
}
void least_so_far(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    best = a[i] < best ? a[i] : best;
    b[i] = best;
  }
}
void bits_so_far(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    count ^= p[i];
    q[i] = count;
  }
}
void counter_under_a_condition(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    if (a[i] > 3) count++;
    q[i] = count;
  }
}
void compaction(int n) { /* HOW: scan */
  int j = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 3) b[j++] = a[i];
  count = j;
}
void compaction_of_indices(int n) { /* HOW: scan */
  int j = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 3) q[j++] = i;
  count = j;
}
void parting(int n) { /* HOW: scan */
  int j = 0, k = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 3)
      b[j++] = a[i];
    else
      c[k++] = a[i];
  count = j + k;
}
void expansion(int n) { /* HOW: scan */
  int j = 0;
  for (int i = 0; i < n; i++) {
    b[i] = 0;
    if (p[i] % 3 == 0) b[i] = c[j++];
  }
}
void last_under_a_condition(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++)
    if (a[i] > 3) at = i;
}
void last_so_far(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    if (a[i] > 3) s = a[i];
    b[i] = s;
  }
}
void greatest_and_where(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++)
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
}
void least_of_a_matrix(int n) { /* HOW: scan */
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < n; j++)
      if (m[i][j] < best) {
        best = m[i][j];
        row = i;
        column = j;
      }
}
void flag(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++)
    if (a[i] < 0) found = 1;
}
void segments(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    if (p[i] % 4 == 0) s = 0;
    s += a[i];
    b[i] = s;
  }
}
void two_sums(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    s += a[i];
    count += p[i];
    b[i] = s + count;
  }
}
void sum_of_all(int n) { /* HOW: reduce */
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
}
void first_by_the_least_index(int n) { /* HOW: reduce */
  int least = n;
  for (int i = 0; i < n; i++)
    if (p[i] == 5) least = i < least ? i : least;
  at = least;
}
void search(int n) { /* HOW: scan */
  at = -1;
  for (int i = 0; i < n; i++)
    if (p[i] == 5) {
      at = i;
      break;
    }
}
void search_from_the_end(int n) { /* HOW: scan */
  at = -1;
  for (int i = n - 1; i >= 0; i--)
    if (p[i] == 5) {
      at = i;
      break;
    }
}
void search_with_a_value(int n) { /* HOW: scan */
  at = -1;
  for (int i = 0; i < n; i++) {
    double far = a[i] * a[i] + b[i];
    if (far > 60) {
      at = i;
      s = far;
      break;
    }
  }
}
void search_by_its_index(int n) { /* HOW: scan */
  int i;
  for (i = 0; i < n; i++)
    if (p[i] == 5) break;
  at = i;
}
void search_in_the_header(int n) { /* HOW: scan */
  int i = 1;
  while (i < n && p[i] != 5)
    i++;
  at = i;
}
void search_that_jumps(int n) { /* HOW: scan */
  at = -1;
  for (int i = 0; i < n; i++)
    if (p[i] == 5) {
      at = i;
      goto found;
    }
found:
  count = at;
}
void search_that_returns(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++)
    if (p[i] == 5) {
      found = i;
      return;
    }
  found = -1;
}
void search_that_returns_its_index(int n) { /* HOW: scan */
  int i;
  for (i = n - 1; i >= 0; i--)
    if (a[i] > 7.4) return;
  at = i;
}
void search_that_returns_its_own(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    const int twice = p[i] * 2;
    if (twice == 50) {
      found = twice;
      return;
    }
  }
}
void search_that_returns_and_counts(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    if (p[i] == 7) return;
    count += q[i] * count;
  }
}
void search_by_what_it_finds(int n) { /* HOW: host */
  at = -1;
  for (int i = 0; i < n; i++)
    if (p[q[i]] == 5) {
      at = i;
      break;
    }
}
void search_that_counts(int n) { /* HOW: host */
  for (int i = 0; i < n; i++)
    if (p[i] == 5) {
      count = count + i;
      break;
    }
}
void search_that_changes_what_it_reads(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    if (p[i] == 5) break;
    p[i] = p[i] + 1;
  }
}
void search_behind_the_work(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    a[i] = a[i] + b[i];
    if (b[i] > c[i] + 4) break;
  }
}
void search_that_writes(int n) { /* HOW: scan */
  for (int i = 0; i < n; i++) {
    if (p[i] == 5) break;
    q[i] = p[i] + 1;
  }
}
void not_linear(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    s = s * s * 0.0625 + a[i];
    b[i] = s;
  }
}
void divided(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    s = a[i] / (s * s + 1);
    b[i] = s;
  }
}
void halves(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    count = count / 2 + p[i];
    q[i] = count;
  }
}
void saturates(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    s = s + a[i];
    if (s > 9) s = 9;
    b[i] = s;
  }
}
void counter_that_data_stop(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    if (count < p[i]) count++;
    q[i] = count;
  }
}
void where_it_counts_is_read(int n) { /* HOW: host */
  int j = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 3) {
      a[j] = a[i] + a[j] * a[j] * 0.0625;
      j++;
    }
}

#ifdef WL_TRACE
int main(void) {
  RUN(sums_so_far(n)); RUN(sums_before(n)); RUN(sums_in_place(n)); RUN(sums_from_the_end(n)); RUN(every_other_sum(n)); RUN(decays(n));
  RUN(decays_by_data(n)); RUN(decays_along_rows(n)); RUN(sums_down_columns(n)); RUN(products_so_far(n)); RUN(greatest_so_far(n)); RUN(least_so_far(n));
  RUN(bits_so_far(n)); RUN(counter_under_a_condition(n)); RUN(compaction(n)); RUN(compaction_of_indices(n)); RUN(parting(n)); RUN(expansion(n));
  RUN(last_under_a_condition(n)); RUN(last_so_far(n)); RUN(greatest_and_where(n)); RUN(least_of_a_matrix(n)); RUN(flag(n)); RUN(segments(n));
  RUN(two_sums(n)); RUN(sum_of_all(n)); RUN(first_by_the_least_index(n)); RUN(search(n)); RUN(search_from_the_end(n)); RUN(search_that_writes(n));
  RUN(search_with_a_value(n)); RUN(search_by_its_index(n)); RUN(search_in_the_header(n)); RUN(search_that_jumps(n)); RUN(search_that_returns(n)); RUN(search_that_returns_its_index(n)); RUN(search_that_returns_its_own(n)); RUN(search_that_returns_and_counts(n)); RUN(search_by_what_it_finds(n)); RUN(search_that_counts(n)); RUN(search_that_changes_what_it_reads(n));
  RUN(search_behind_the_work(n));
  RUN(not_linear(n)); RUN(divided(n)); RUN(halves(n)); RUN(saturates(n)); RUN(counter_that_data_stop(n)); RUN(where_it_counts_is_read(n));
}
#endif
