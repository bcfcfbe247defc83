import { signal } from '@preact/signals-core';

/** Whether the chart fills the window, and the screen where the browser can do that. */
export const fullScreen = signal(false);

/**
 * The whole document goes full screen, so that sheets stay visible; on an iPhone, which has no such
 * call for pages, the chart fills the window. Escape ends both.
 */
export function enterFullScreen(): void {
  fullScreen.value = true;
  document.addEventListener('fullscreenchange', changed);
  document.addEventListener('keydown', pressed);
  void document.documentElement.requestFullscreen?.().catch(() => undefined);
}

export function leaveFullScreen(): void {
  fullScreen.value = false;
  document.removeEventListener('fullscreenchange', changed);
  document.removeEventListener('keydown', pressed);
  if (document.fullscreenElement) void document.exitFullscreen();
}

function changed(): void {
  if (!document.fullscreenElement) leaveFullScreen();
}

function pressed(event: KeyboardEvent): void {
  // Escape closes an open sheet first.
  if (event.key === 'Escape' && !document.querySelector('[role="dialog"]')) leaveFullScreen();
}
