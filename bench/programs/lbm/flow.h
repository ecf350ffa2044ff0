enum { ways = 9 };
void collide(int n, double rate, double* f);
void stream(int n, const double* from, double* to);
double mass(int n, const double* f);
