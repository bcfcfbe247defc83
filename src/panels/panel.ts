import type { Signal } from '@preact/signals-core';
import type { UnixSeconds } from '#domain/core/time';
import type { ChartPeriod } from '#domain/market/kline';
import type { ListRow } from '#domain/market/list';

/** What a panel of the workspace gets (screens.md#workspace). */
export interface PanelProps {
  /** Row of the panel's instrument; undefined until the list is loaded. */
  row: ListRow | undefined;
  /** Shows another instrument, in all panels of the same group. */
  pick(code: string): void;
  period: ChartPeriod | undefined;
  setPeriod(period: ChartPeriod): void;
  /** What the panel has saved; untrusted, because it may come from a file. */
  settings: unknown;
  /** Saves what can be JSON, at most 4,000 characters of it. */
  save(settings: unknown): void;
  /** The time under the crosshair of all charts; undefined where it is not shared. */
  crosshair: Signal<SharedCrosshair | undefined> | undefined;
  /** Where a chart shows its controls; undefined unless it is the chart used last. */
  toolbar: Element | undefined;
}

/** `by`: the chart that has the pointer. */
export interface SharedCrosshair {
  time: UnixSeconds;
  by: object;
}
