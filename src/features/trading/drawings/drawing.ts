import type { UnixSeconds } from '#domain/core/time';
import type { DrawnColour } from '../chart/colours';

/** What can be drawn, in the order of the tools. */
export const KINDS = [
  'trend',
  'ray',
  'horizontal',
  'vertical',
  'rectangle',
  'channel',
  'fibonacci',
  'measure',
  'text',
] as const;
export type Kind = (typeof KINDS)[number];

/** How many points each kind has. */
export const ANCHORS: Readonly<Record<Kind, number>> = {
  trend: 2,
  ray: 2,
  horizontal: 1,
  vertical: 1,
  rectangle: 2,
  channel: 3,
  fibonacci: 2,
  measure: 2,
  text: 1,
};

/** Each theme has its own tone of them. */
export const COLOURS = [
  'blue',
  'grey',
  'green',
  'red',
  'orange',
  'purple',
] as const satisfies DrawnColour[];
type Colour = (typeof COLOURS)[number];
export const WIDTHS = [1, 2, 3, 4] as const;
export const DASHES = ['solid', 'dashed', 'dotted'] as const;

export interface Style {
  colour: Colour;
  /** Px. */
  width: (typeof WIDTHS)[number];
  dash: (typeof DASHES)[number];
}

/** A point of the market, not of the screen: it stays where it is in every period and zoom. */
export interface Anchor {
  /** Start of the bar that it was set on. */
  time: UnixSeconds;
  /** An exact decimal with the decimals of the instrument's prices, above zero. */
  price: string;
}

export interface Drawing {
  id: string;
  kind: Kind;
  /** As many as `ANCHORS` says. */
  anchors: readonly Anchor[];
  style: Style;
  /** It can't be moved, changed or deleted until it is unlocked. */
  locked: boolean;
  /** Of kind `text`; otherwise empty. */
  text: string;
}

/** The drawings of an instrument, the lowest first. */
export type Drawings = readonly Drawing[];

/** More drawings of an instrument are refused. */
export const MOST_DRAWINGS = 200;
export const LONGEST_TEXT = 200;
export const PLAIN_STYLE: Style = { colour: 'blue', width: 2, dash: 'solid' };

export function sameDrawing(one: Drawing, other: Drawing): boolean {
  return (
    one.id === other.id &&
    one.kind === other.kind &&
    one.locked === other.locked &&
    one.text === other.text &&
    one.style.colour === other.style.colour &&
    one.style.width === other.style.width &&
    one.style.dash === other.style.dash &&
    one.anchors.length === other.anchors.length &&
    one.anchors.every(({ time, price }, index) => {
      const anchor = other.anchors[index];
      return anchor?.time === time && anchor.price === price;
    })
  );
}
