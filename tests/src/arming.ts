import { act } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { armingTimers } from '../../src/ui/useArmed';

let arming: (() => void)[] = [];

/** Buttons that appear wait for `arm`. */
export function holdArming(): void {
  arming = [];
  vi.spyOn(armingTimers, 'after').mockImplementation((ms, task) => {
    expect(ms).toBe(500);
    arming.push(task);
    return () => {
      arming = arming.filter((other) => other !== task);
    };
  });
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => {
    task();
    return 0;
  });
}

/** Arms the buttons that have appeared, as half a second does. */
export function arm(): Promise<void> {
  return act(async () => {
    for (const task of arming.splice(0)) task();
  });
}
