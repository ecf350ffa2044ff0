// Several marked pieces of a file, by CRINK's comments and by pragmas: each gets kernels, and what is not marked in these functions stays as it was.
// SHOWS: CR-68
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/m.c -o %t/m.cu 2>&1 | FileCheck --check-prefix=ALL %s
// ALL: 4 of 4 regions of {{.*}} were mapped
// RUN: FileCheck --check-prefix=KERNELS --input-file=%t/m.cu %s
// KERNELS-DAG: extern "C" int warploom_m_first_[[#]](
// KERNELS-DAG: extern "C" int warploom_m_second_[[#]](
// KERNELS-DAG: extern "C" int warploom_m_third_[[#]](
// RUN: FileCheck --check-prefix=HOST --input-file=%t/m.host.c %s
// HOST: void first(
// HOST-NEXT: {{^}}  for (int i = 0; i < n; i++) b[i] = i;
// HOST: if (!warploom_m_first
// HOST: void second(
// HOST: if (!warploom_m_second
// HOST: if (!warploom_m_second
// HOST: void third(
// HOST: if (!warploom_m_third
// RUN: %exits 0 %warploom verify %t/m.c --sanitize -o %t/prog | FileCheck --check-prefix=SAME %s
// SAME: 4 regions compared, {{[0-9]+}} arrays, 0 mismatches
//--- m.c
int a[1000], b[1000];
void first(int n) {
  for (int i = 0; i < n; i++) b[i] = i;
// PARALLELIZE IN CUDA START
  for (int i = 0; i < n; i++) a[i] = b[i] + 1;
// PARALLELIZE IN CUDA END
}
void second(int n) {
// PARALLELIZE IN CUDA START
  for (int i = 0; i < n; i++) b[i] = a[i] * 2;
// PARALLELIZE IN CUDA END
// PARALLELIZE IN CUDA START
  for (int i = 3; i < n; i += 2) a[i] = b[i - 3] + a[i];
// PARALLELIZE IN CUDA END
}
void third(int n) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = a[i] + b[i];
#pragma endscop
}
int main(void) {
  first(1000), second(900), third(800);
  return a[5] == 3;
}
