void step(int n, double k, const double* from, double* to);
double total(int n, const double* field);
void write_row(const char* file, int n, int time, const double* field);
