/** The names that are most like `wanted`, the most similar first. One that contains it comes before all others. */
export function nearest(wanted: string, names: readonly string[], most = 1): string[] {
  const text = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: distanceTo(text, name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

function distanceTo(wanted: string, name: string): number {
  return wanted !== '' && name.includes(wanted) ? 0 : editDistance(wanted, name);
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
