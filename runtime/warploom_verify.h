/* What a program built by `warploom verify` calls around each of its regions: the region runs in its
   generated and in its original form on the same data, and the results are compared. Plain C11; travels with
   generated programs.

   The report, one line per region and output, is printed at the end to standard output, or written to the
   file that WARPLOOM_VERIFY_REPORT names. After a mismatch the program ends with status 1. WARPLOOM_TOLERANCE
   sets the tolerance for floating point. */
#ifndef WARPLOOM_VERIFY_H
#define WARPLOOM_VERIFY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Called for each output of a region: `count` elements of the C type `type`, one every `stride` bytes from
   `data` on. Of an array in a struct every element may come on its own, under one name. */
typedef void warploom_verify_visitor(void* context, const char* name, void* data, unsigned long count,
                                     unsigned long stride, const char* type);

/* Called for floating-point outputs: `roundings` go into an element, of numbers that are at most `size`;
   `size` 0 where that is not known. */
typedef void warploom_verify_listener(void* context, const char* name, double roundings, double size);

/* A passage through the region `name`, which outlives the program. */
void* warploom_verify_enter(const char* name);
/* Notes an output and its values on entry. */
void warploom_verify_save(void* frame, const char* name, void* data, unsigned long count,
                          unsigned long stride, const char* type);
/* Notes how far rounding can move an output that is saved. */
void warploom_verify_rounding(void* frame, const char* name, double roundings, double size);
/* The generated form is done, or has declined (`ran` 0): keeps its results and brings the values on entry
 * back. */
void warploom_verify_ran(void* frame, int ran);
/* The original form is done: compares. The program goes on with the original's results. */
void warploom_verify_leave(void* frame);

#ifdef __cplusplus
}
#endif
#endif
