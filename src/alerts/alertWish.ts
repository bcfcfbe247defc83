import { signal } from '@preact/signals-core';
import type { Alert } from '#domain/trading/alert';
import type { Condition } from '#domain/trading/condition';
import { currentLocation } from '../ui/currentLocation';

/** The alert that the user is about to set. */
export interface AlertWish {
  /** The path of the screen where it was made. */
  screen: string;
  /** Code of the instrument. */
  code: string;
  /** A plain decimal; empty: the present price. */
  price: string;
  /** What it is on, where that is known. */
  condition?: Condition | undefined;
  /** The alert that it replaces. */
  former?: Alert | undefined;
}

/** What the form of an alert is open for. */
export const alertWish = signal<AlertWish | undefined>(undefined);

/** Opens the form of an alert (screens.md#alerts). `price`: a plain decimal; empty: the present price. */
export function openAlertForm(
  code: string,
  price = '',
  more: Pick<AlertWish, 'former' | 'condition'> = {},
): void {
  alertWish.value = { screen: currentLocation().pathname, code, price, ...more };
}
