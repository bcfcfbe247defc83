#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
// Shifts the time of day of the program that preloads this library by CLOCK_SHIFT_SECONDS.
static long shift(void) { static long s; static int known; if (!known) { const char *t = getenv("CLOCK_SHIFT_SECONDS"); s = t ? atol(t) : 0; known = 1; } return s; }
#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })
int clock_gettime(clockid_t clock, struct timespec *t) {
  int r = REAL(clock_gettime)(clock, t);
  if (!r && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) t->tv_sec += shift();
  return r;
}
int gettimeofday(struct timeval *t, void *z) { int r = REAL(gettimeofday)(t, z); if (!r && t) t->tv_sec += shift(); return r; }
time_t time(time_t *out) { time_t now = REAL(time)(NULL) + shift(); if (out) *out = now; return now; }
