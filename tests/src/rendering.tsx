import { act, type RenderResult, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { eventually } from '../helpers/eventually';

/** A phone held upright. */
export function onPhone(): void {
  resize(360, 740);
}

export function onDesktop(): void {
  resize(1440, 900);
}

function resize(width: number, height: number): void {
  const browser = window as unknown as {
    happyDOM: { setViewport(size: { width: number; height: number }): void };
  };
  browser.happyDOM.setViewport({ width, height });
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

/** The newest sheet, once its content is there: it comes after the sheet (D168). */
export function findSheet(): Promise<HTMLElement> {
  return eventually(() => {
    const sheet = screen.getAllByRole('dialog').at(-1) as HTMLElement;
    if (sheet.hasAttribute('data-starting-style')) throw new Error('the sheet is still empty');
    return sheet;
  });
}
