// What C programs call that Warploom has made of MetaFork: forks, joins and parallel loops. There are two
// run-times with this face: one on threads (tasks_tbb.cpp), one that looks for races (tasks_race.cpp).
#pragma once

extern "C" {

/// Memory for what a child is given.
void* warploom_task(unsigned long bytes);

/// Runs `body(data)` as a child of the caller. `data` comes from warploom_task, and is freed.
void warploom_fork(void (*body)(void*), void* data);

/// Waits for the caller's own children.
void warploom_join(void);

/// Runs `body(data, from, to)` on pieces of [0, count), of `grain` iterations where that is positive, and
/// waits for them.
void warploom_for(void (*body)(void*, long long, long long), void* data, long long count, long long grain);

/// How many iterations a loop has that goes from `first` by `step` while the counter stands in a relation to
/// `bound`: '<', '>' or
/// '!', plus 256 where equality is in it.
long long warploom_count(long long first, long long bound, long long step, int comparison);

/// Calls `combine(into, value)`; of these calls one runs at a time.
void warploom_combine(void (*combine)(void*, void*), void* into, void* value);
}
