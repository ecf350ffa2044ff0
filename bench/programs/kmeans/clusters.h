enum { groups = 16, dimensions = 4 };
int assign(int n, const float* points, const float* centres, int* group);
void sum_up(int n, const float* points, const int* group, double* sums, int* counts);
