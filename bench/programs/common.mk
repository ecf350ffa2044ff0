# What the programs here have in common: `make` builds ./program from all C files of the folder.
CFLAGS ?= -O3 -march=native
objects := $(patsubst %.c,%.o,$(sort $(wildcard *.c)))
program: $(objects)
	$(CC) $(CFLAGS) $(objects) -o $@ -lm
%.o: %.c $(wildcard *.h)
	$(CC) $(CFLAGS) -c $< -o $@
clean:
	$(RM) program $(objects)
.PHONY: clean
