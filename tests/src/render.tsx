import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const mounted: { root: Root; element: HTMLElement }[] = [];

afterEach(async () => {
  for (const { root, element } of mounted.splice(0)) {
    await act(async () => root.unmount());
    element.remove();
  }
});

/** A phone in portrait orientation. */
export function onPhone(): void {
  const browser = window as unknown as {
    happyDOM: { setViewport(size: { width: number; height: number }): void };
  };
  browser.happyDOM.setViewport({ width: 360, height: 740 });
}

/** Renders into a new element of the document; unmounted after the test. */
export async function render(node: ReactNode) {
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  mounted.push({ root, element });
  await act(async () => root.render(node));
  return {
    element,
    rerender: (next: ReactNode) => act(async () => root.render(next)),
    unmount: () => act(async () => root.render(null)),
  };
}

/** Waits for pending promises and effects. */
export function settle(): Promise<void> {
  return act(async () => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  });
}

/** Waits for a condition that needs more than promises: code that is loaded on demand. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await act(() => new Promise((resolve) => setTimeout(resolve)));
}

export function click(element: Element | null | undefined): Promise<void> {
  return act(async () => {
    (element as HTMLElement).click();
  });
}
