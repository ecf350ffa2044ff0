// A network with one hidden layer for samples in rows, trained by gradients of the whole batch.
struct network {
  int samples, inputs, hidden, outputs;
  float *x, *target;            // samples
  float *w1, *b1, *w2, *b2;     // weights, from inputs to hidden units and on to outputs
  float *a1, *a2;               // what the layers give
  float *d1, *d2;               // what they got wrong
  float *g1, *g2, *gb1, *gb2;   // gradients
};
void forward(struct network* net);
double backward(struct network* net);
void update(struct network* net, float rate);
