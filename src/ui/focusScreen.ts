import type { RefCallback } from 'react';

/** Moves the focus to the screen, so that screen readers start at its top. */
export function focusScreen(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}

/** Ref of an element that may vanish while it has the focus, which then goes to the screen. */
export const passFocus: RefCallback<HTMLElement> = (element) => () => {
  if (element?.contains(document.activeElement)) focusScreen();
};
