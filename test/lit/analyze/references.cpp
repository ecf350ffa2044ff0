// References of C++ are not followed: they may be another name for anything.
// RUN: %warploom analyze --json %s | %verdicts | FileCheck %s

// CHECK: sum [[# @LINE + 2]] i sequential `s` is a reference, which is not followed (line [[# @LINE + 2]])
void sum(int n, double& s, const double* p) {
  for (int i = 0; i < n; i++) s += p[i];
}

// CHECK: other [[# @LINE + 3]] i sequential `r` is a reference, which is not followed (line [[# @LINE + 3]])
void other(int n, double* p) {
  double& r = p[0];
  for (int i = 0; i < n; i++) { r = i; p[i] = r; }
}

// CHECK: inside [[# @LINE + 2]] i sequential {{.*}}`r` is a reference{{.*}} (line [[# @LINE + 2]])
void inside(int n, double* p) {
  for (int i = 0; i < n; i++) { double& r = p[i / 2]; r += i; }
}

// CHECK: bound [[# @LINE + 2]] i sequential `n` is a reference, which is not followed (line [[# @LINE + 2]])
void bound(const int& n, int* p) {
  for (int i = 0; i < n; i++) p[i] = i;
}

// CHECK: each [[# @LINE + 2]] {{.*}}unknown {{.*}}: it is not looked into (line [[# @LINE + 2]])
void each(int (&all)[9]) {
  for (int& x : all) x = 0;
}
