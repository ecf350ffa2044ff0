// Sizes that the loops do not tell can be stated: a table of arrays and their sizes.
// RUN: rm -rf %t && mkdir %t
// RUN: %warploom compile %s -o %t/out.cu --extent counts=bins --extent mesh:cells=2*n*m+1 -- -std=gnu11 | FileCheck --check-prefix=SAYS %s
// SAYS: 2 of 2 regions
// RUN: FileCheck --check-prefix=TEXT --input-file=%t/out.cu %s
// TEXT-LABEL: int warploom_extent_tally_{{[0-9]+}}(
// TEXT: const long counts_size = bins;
// TEXT-LABEL: int warploom_extent_mesh_{{[0-9]+}}(
// TEXT: const long cells_size = 2 * m_n + 1;
// RUN: %warploom verify %s --sanitize --extent counts=bins --extent cells=13 -- -std=gnu11 -DMAIN | FileCheck --check-prefix=VERIFY %s
// VERIFY: 2 regions compared, 2 arrays, 0 mismatches
//
// A stated size that is too small is found by the sanitizer.
// RUN: not %warploom verify %s --sanitize --extent counts=2 --extent cells=13 -- -std=gnu11 -DMAIN 2>&1 | FileCheck --check-prefix=SMALL %s
// SMALL: out of bounds: dynamic shared memory[24], kernel tally
//
// What cannot be meant is an error where the array is declared; what is no size, one of the command line.
// RUN: %exits 1 %warploom compile %s -o %t/bad.cu --extent counts=bins*rest -- -std=gnu11 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: extent.c:[[@LINE+5]]:{{[0-9]+}}: error: the size stated for 'counts' has 'rest' in it
// RUN: %exits 2 %warploom compile %s -o %t/bad.cu --extent counts 2>&1 | FileCheck --check-prefix=FORM %s
// RUN: %exits 2 %warploom compile %s -o %t/bad.cu --extent counts=n- 2>&1 | FileCheck --check-prefix=FORM %s
// RUN: %exits 2 %warploom compile %s -o %t/bad.cu --extent counts=0 2>&1 | FileCheck --check-prefix=FORM %s
// FORM: is not of the form [FUNCTION:]ARRAY=SIZE
void tally(int n, int bins, const int* restrict values, int* restrict counts) {
  (void)bins;
  for (int i = 0; i < n; i++)
    counts[values[i]]++;
}
void mesh(int n, int m, const int* restrict at, double* restrict cells) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      cells[at[i * m + j]] += 1;
}
#ifdef MAIN
int main(void) {
  static int values[50], at[6], counts[7];
  static double cells[13];
  for (int i = 0; i < 50; i++) // on the host
    values[i] = (values[i ? i - 1 : 0] + 3) % 7;
  for (int i = 1; i < 6; i++) at[i] = (at[i - 1] + 5) % 13;
  tally(50, 7, values, counts);
  mesh(2, 3, at, cells);
  return 0;
}
#endif
