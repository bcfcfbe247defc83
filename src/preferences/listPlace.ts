import { readFields } from '#domain/core/read';
import { aNumber, stored } from './stored';

/** Where a desktop's list begins and how wide it is, px from the corner of the workspace where a line of text starts. */
interface ListPlace {
  x: number;
  y: number;
  width: number;
}

/** As it was last, so that its rows are painted there before React; null: the layout shows none. Undefined: as shipped. */
export const listPlace = stored<ListPlace | null | undefined>('list-place', undefined, (value) => {
  if (value === null) return null;
  const fields = readFields(value);
  const [x, y, width] = ['x', 'y', 'width'].map((name) => aNumber(fields?.[name]));
  return x === undefined || y === undefined || width === undefined ? undefined : { x, y, width };
});

/** The place as custom properties, of which boot.css knows the usual values. */
export function placeOfList(): Record<string, string> {
  const place = listPlace.peek();
  return place
    ? { '--list-x': `${place.x}px`, '--list-y': `${place.y}px`, '--list': `${place.width}px` }
    : {};
}
