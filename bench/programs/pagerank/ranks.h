double iterate(int pages, const int* start, const int* from, const double* share, const double* old, double* rank);
void shares(int pages, const int* links, const double* rank, double* share);
