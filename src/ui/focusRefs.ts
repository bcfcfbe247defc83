import type { RefCallback } from 'react';
import { focusScreen } from './focusScreen';

/** Ref of an element that may vanish while it has the focus, which then goes to the newest sheet, or to the screen. */
export const passFocus: RefCallback<HTMLElement> = (element) => () => {
  if (!element?.contains(document.activeElement)) return;
  // A toast has a tone, and what closes is inert.
  const sheets = document.querySelectorAll<HTMLElement>(
    '[role="dialog"]:not([inert]):not([data-tone])',
  );
  const sheet = sheets[sheets.length - 1];
  if (sheet) sheet.focus({ preventScroll: true });
  else focusScreen();
};

/**
 * Ref of a dialog: it gets the focus that an element in it had that vanishes. Base UI waits for an event of it, which only
 * Chromium sends.
 */
export const keepFocus: RefCallback<HTMLElement> = (element) => {
  if (!element) return;
  let last: EventTarget | null = null;
  const note = ({ target }: FocusEvent) => {
    last = target;
  };
  const observer = new MutationObserver(() => {
    const vanished = last instanceof Element && !last.isConnected;
    if (vanished && document.activeElement === document.body)
      element.focus({ preventScroll: true });
  });
  element.addEventListener('focusin', note);
  observer.observe(element, { childList: true, subtree: true });
  return () => {
    element.removeEventListener('focusin', note);
    observer.disconnect();
  };
};
