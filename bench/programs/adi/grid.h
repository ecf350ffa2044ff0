// The temperature of a square plate, and what the solver keeps beside it. The arrays are as large as the largest plate.
enum { most = 2048 };
extern double u[most][most], v[most][most], upper[most][most], lower[most][most];
void heat_up(int n);
void sweep_rows(int n, double r);
void sweep_columns(int n, double r);
