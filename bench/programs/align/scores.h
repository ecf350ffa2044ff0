// Scores of local alignments of two sequences, by diagonals of the table: what lies on one depends on the two before.
enum { match = 3, mismatch = -2, gap = -2 };
int diagonal(int d, int n, int m, const char* a, const char* b, const int* older, const int* old, int* now);
