// Cilk's keywords for a compiler that does not know them: the serial program.
#define cilk_spawn
#define cilk_sync
#define cilk_scope
#define cilk_for for
#define cilk_reducer(identity, combine)
