/**
 * The items in the order of how much one of their names is like `wanted`. A name that contains it is the most similar.
 */
export function nearest<Item>(
  wanted: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
): Item[] {
  const distanceTo = (name: string) =>
    wanted !== '' && name.includes(wanted) ? 0 : editDistance(wanted, name);
  return items
    .map((item) => ({ item, distance: Math.min(...namesOf(item).map(distanceTo)) }))
    .sort((one, other) => one.distance - other.distance)
    .map(({ item }) => item);
}

/** How many letters have to be inserted, removed or replaced to make one text from the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] as number) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
