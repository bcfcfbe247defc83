import { act, type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';

/** A phone held upright. */
export function onPhone(): void {
  const browser = window as unknown as {
    happyDOM: { setViewport(size: { width: number; height: number }): void };
  };
  browser.happyDOM.setViewport({ width: 360, height: 740 });
}

/** Renders, and lets the promises and effects that follow finish. */
export function renderSettled(node: ReactNode): Promise<RenderResult> {
  return act(async () => render(node));
}

/** Lets promises and effects that are pending finish. */
export function settle(): Promise<void> {
  return act(async () => {
    for (let i = 0; i < 50; i++) await Promise.resolve();
  });
}
