/* Signal filters in the C of 1978: parameters declared behind the list, int by default, loops by hand, jumps. */
#include <stdio.h>
#define LEN 400

double signal[LEN], smooth[LEN], edge[LEN];
int clipped[LEN];

fill(x, n)
double *x;
int n;
{
	register int i;

	i = 0;
	while (i < n) {
		x[i] = (i * 37 % 100) / 10.0 - (i % 7);
		i++;
	}
	return n;
}

double
peak(x, n)
double x[];
int n;
{
	double best;
	register int i;

	best = x[0];
	for (i = 1; i < n; ++i)		/* region: peak */
		if (x[i] > best)
			best = x[i];
	return best;
}

void
average(n)
int n;
{
	int i;

	for (i = 0; i < n; i++) {	/* region: average */
		if (i == 0 || i == n - 1) {
			smooth[i] = signal[i];
			goto next;
		}
		smooth[i] = (signal[i - 1] + signal[i] + signal[i + 1]) / 3;
		if (smooth[i] <= 5)
			goto next;
		smooth[i] = 5;
		clipped[i] = 1;
	next:	;
	}
}

void
edges(n)
int n;
{
	register int i;

	i = n - 1;
	while (--i > 0)			/* region: edges */
		edge[i] = smooth[i + 1] - smooth[i - 1];
}

double
total(x, n)
double *x;
int n;
{
	double sum;

	sum = 0;
	while (n--)
		sum += x[n];
	return sum;
}

int
clips(n)
int n;
{
	int i, c;

	c = i = 0;
	for (;;) {			/* region: clips */
		if (i >= n)
			break;
		c += clipped[i];
		i++;
	}
	return c;
}

int
main()
{
	int n;

	n = fill(signal, LEN);
	average(n);
	edges(n);
	printf("%.4f %.4f %.4f %.4f %d\n", peak(signal, n), total(smooth, n), total(edge, n), peak(smooth, n), clips(n));
	return 0;
}
