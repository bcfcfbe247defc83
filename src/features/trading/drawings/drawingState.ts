import { type Signal, signal } from '@preact/signals-core';
import type { Drawing, Kind } from './drawing';

/** What the user does with the drawings of a chart; the same over periods. */
export interface DrawingState {
  /** The tool that the next press draws with. */
  readonly tool: Signal<Kind | undefined>;
  /** Points of the present drawing that are set. */
  readonly placed: Signal<number>;
  /** Id of the drawing that can be moved. */
  readonly selected: Signal<string | undefined>;
  /** Of the selected one, the anchor that keys move; undefined: all of it. */
  readonly anchor: Signal<number | undefined>;
  /** A new text has its place and needs its words. */
  readonly asking: Signal<Drawing | undefined>;
  /** What was deleted last, until the user does something else. */
  readonly deleted: Signal<Drawing | undefined>;
  /** The last press of the tool was beside the price's pane, where nothing is drawn. */
  readonly beside: Signal<boolean>;
}

export function createDrawingState(): DrawingState {
  return {
    tool: signal<Kind | undefined>(undefined),
    placed: signal(0),
    selected: signal<string | undefined>(undefined),
    anchor: signal<number | undefined>(undefined),
    asking: signal<Drawing | undefined>(undefined),
    deleted: signal<Drawing | undefined>(undefined),
    beside: signal(false),
  };
}
