import type { Signal } from '@preact/signals-core';
import { aNumber, stored } from './stored';

/** A pane of the desktop layout whose size in px the user chooses; saved. */
export interface Pane {
  size: Signal<number>;
  min: number;
  max: number;
  resize(size: number): void;
  reset(): void;
}

function pane(name: string, min: number, usual: number, max: number): Pane {
  const size = stored(name, usual, aNumber);
  return {
    size,
    min,
    max,
    resize: (next) => {
      size.value = Math.min(max, Math.max(min, Math.round(next)));
    },
    reset: () => {
      size.value = usual;
    },
  };
}

export const listPane = pane('list-width', 320, 400, 640);
export const ticketPane = pane('ticket-width', 272, 320, 480);
export const ordersPane = pane('orders-height', 160, 320, 560);
