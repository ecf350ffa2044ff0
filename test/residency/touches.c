// What hosts do with arrays between regions: other processes, threads, signals, system calls, libraries, pointers kept elsewhere.
// Every line that this prints must be the same whatever compiled it.
// SHOWS: RT-67
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { n = 10000 };

// Only their own names reach these: they may move when a region first uses them.
static double alone[n], other[n];
static double late[n]; // is first used on the device while a thread is running
double common[n];      // other files might know it
static struct point {
  float x, y;
} points[n];
// With values, which change before main begins.
static double early[n] = {5, 6, 7};
__attribute__((constructor)) static void before_main(void) {
  for (int i = 0; i < n; i++) early[i] += i % 4;
}
// Pointers to these are kept.
static double kept[n];
static double* place;

static void report(const char* what, double value) {
  printf("%s %.1f\n", what, value);
  fflush(stdout);
}

static double sum_of(const double* array) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += array[i];
  return sum;
}

static double sum_alone(void) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += alone[i];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < n; i++) {
    alone[i] = i % 17;
    other[i] = i % 5;
    common[i] = i % 11;
    kept[i] = i % 7;
    points[i].x = i % 3;
    points[i].y = i % 13;
  }
}

// Regions.
static void add_other(void) {
  for (int i = 0; i < n; i++) alone[i] += other[i];
}
static void add_common(void) {
  for (int i = 0; i < n; i++) other[i] += common[i];
}
static void shift_points(void) {
  for (int i = 0; i < n; i++) points[i].x += 2 * points[i].y;
}
static void twice(double* array) {
  for (int i = 0; i < n; i++) array[i] *= 2;
}
static void twice_kept(void) {
  for (int i = 0; i < n; i++) kept[i] *= 2;
}
static void twice_late(void) {
  for (int i = 0; i < n; i++) late[i] = late[i] * 2 + 1;
}

static double of_function(int at) {
  static double own[n] = {1, 2, 3};
  for (int i = 0; i < n; i++) own[i] = own[i] * 2 + early[i];
  own[at] += 3;
  for (int i = 0; i < n; i++) early[i] += own[i];
  return own[at] + early[2] + sizeof early;
}
static void at_end(void) {
  report("at the end", early[1] + alone[2] + kept[3]);
}
__attribute__((destructor)) static void after_main(void) {
  report("after main", early[1] + common[4]);
}

static void processes(void) {
  add_other();
  alone[3] = 100;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alone[4] = 1000;
    add_other(); // on the host there
    _exit(sum_alone() > 100000 ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  report("child", WEXITSTATUS(status));
  report("parent keeps its own", alone[4]);
  add_other();
  report("after fork", sum_alone());
}

static volatile sig_atomic_t seen;
static void on_signal(int number) {
  (void)number;
  alone[5] += 50; // raised by this thread: an ordinary call
  seen = 1;
}

static void signals(void) {
  signal(SIGUSR1, on_signal);
  add_other();
  raise(SIGUSR1);
  add_other();
  raise(SIGUSR1);
  report("signals", alone[5] + seen);
}

static void* work(void* argument) {
  long part = (long)argument;
  for (int i = (int)part; i < n; i += 2) alone[i] += part + 1;
  return NULL;
}
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static void* bystander(void* argument) {
  (void)argument;
  pthread_mutex_lock(&turn);
  late[7] += 3;
  pthread_mutex_unlock(&turn);
  return NULL;
}
static void* region_there(void* argument) {
  (void)argument;
  add_other();
  return NULL;
}

static void threads(void) {
  pthread_t one, two;
  add_other();
  pthread_create(&one, NULL, work, (void*)0);
  pthread_create(&two, NULL, work, (void*)1);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  add_other();
  report("two threads", sum_alone());
  pthread_create(&one, NULL, region_there, NULL);
  pthread_join(one, NULL);
  report("a region in a thread", sum_alone());
  pthread_mutex_lock(&turn);
  pthread_create(&one, NULL, bystander, NULL);
  twice_late();
  late[8] = 5;
  twice_late();
  pthread_mutex_unlock(&turn);
  pthread_join(one, NULL);
  twice_late();
  report("beside a thread", late[7] + 1000 * late[8] + late[9]);
}

static void system_calls(void) {
  char name[] = "/tmp/touchesXXXXXX";
  int file = mkstemp(name);
  unlink(name);
  twice(kept);
  twice_kept();
  ssize_t wrote = write(file, kept, sizeof kept);
  twice_kept();
  lseek(file, 0, SEEK_SET);
  ssize_t got = read(file, kept, sizeof kept);
  twice_kept();
  report("written and read", (double)wrote + (double)got + sum_of(kept));
  double* mapped = mmap(NULL, sizeof kept, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  twice(mapped);
  mapped[1] += 3;
  twice(mapped);
  report("mapped", sum_of(mapped));
  double first[2];
  if (pread(file, first, sizeof first, 0) == sizeof first) report("in the file", first[1]);
  munmap(mapped, sizeof kept);
  close(file);
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void heap(void) {
  double* block = malloc(n * sizeof *block);
  for (int i = 0; i < n; i++) block[i] = (n - i) % 100;
  twice(block);
  block = realloc(block, 4 * n * sizeof *block);
  memcpy(block + n, block, n * sizeof *block);
  twice(block + n);
  memmove(block, block + 1, n * sizeof *block);
  twice(block);
  qsort(block, n, sizeof *block, compare);
  twice(block);
  report("heap", sum_of(block) + block[10] + block[n - 1]);
  free(block);
}

static void elsewhere(void) {
  place = kept + 10;
  twice_kept();
  *place += 1;
  twice_kept();
  place[1] = 9;
  twice_kept();
  report("kept elsewhere", kept[10] + kept[11] + *place);
  memset(alone, 0, sizeof alone);
  add_other();
  memcpy(other, alone, sizeof other);
  add_other();
  report("copied", sum_alone());
}

static void stack(int deep) {
  double local[n];
  for (int i = 0; i < n; i++) local[i] = i % (deep + 3);
  twice(local);
  local[deep] += 5;
  if (deep < 2) stack(deep + 1);
  twice(local);
  report("stack", sum_of(local));
}

int main(void) {
  atexit(at_end);
  fill();
  report("own", of_function(1) + of_function(2) + of_function(n - 1));
  add_other();
  add_common();
  shift_points();
  points[9].y = 40;
  shift_points();
  report("begin", sum_alone() + points[9].x);
  processes();
  signals();
  threads();
  system_calls();
  heap();
  elsewhere();
  stack(0);
  add_common();
  report("end", other[17] + common[18]);
  return 0;
}
