import { batch, type Signal, signal } from '@preact/signals-core';
import type { Drawing, Kind } from './drawing';
import type { Edit } from './edits';

/** What the user does with the drawings of a chart; the same over periods. */
export interface DrawingState {
  /** The tool that the next press draws with. */
  readonly tool: Signal<Kind | undefined>;
  /** A new drawing before it is whole. */
  readonly draft: Signal<Drawing | undefined>;
  /** Points of it that are set. */
  readonly placed: Signal<number>;
  /** Id of the drawing that can be moved. */
  readonly selected: Signal<string | undefined>;
  /** Of the selected one, the anchor that keys move; undefined: all of it. */
  readonly anchor: Signal<number | undefined>;
  /** A new text has its place and needs its words. */
  readonly asking: Signal<Drawing | undefined>;
  /** The deletion that was made last, until the user does something else. */
  readonly deleted: Signal<Edit | undefined>;
  /** The last press of the tool was beside the price's pane, where nothing is drawn. */
  readonly beside: Signal<boolean>;
}

export function createDrawingState(): DrawingState {
  return {
    tool: signal<Kind | undefined>(undefined),
    draft: signal<Drawing | undefined>(undefined),
    placed: signal(0),
    selected: signal<string | undefined>(undefined),
    anchor: signal<number | undefined>(undefined),
    asking: signal<Drawing | undefined>(undefined),
    deleted: signal<Edit | undefined>(undefined),
    beside: signal(false),
  };
}

/** Forgets the points of a drawing that is not whole. */
export function dropDraft({ draft, placed }: DrawingState): void {
  batch(() => {
    draft.value = undefined;
    placed.value = 0;
  });
}
