import type { RefObject } from 'react';

/** Focuses the first field with a problem, after the next render has marked it. */
export function focusInvalid(fields: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
