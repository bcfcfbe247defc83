/** Moves the focus to the screen, so that screen readers start at its top. */
export function focusScreen(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}
