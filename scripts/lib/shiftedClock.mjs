import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './install.mjs';

/**
 * The environment of programs whose time of day is so many seconds ahead; `folder` takes the library.
 * Not libfaketime: Chromium does not start under it.
 */
export function shiftedClock(folder, seconds) {
  const library = join(folder, 'clock.so');
  const source = join(root, 'scripts/lib/shiftedClock.c');
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('moving the clock needs Linux and a C compiler');
  return { LD_PRELOAD: library, CLOCK_SHIFT_SECONDS: String(seconds) };
}
