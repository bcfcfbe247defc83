/** At most `longest` characters of a text, and a sign that there are more. An emoji is not cut in two. */
export function cutText(text: string, longest: number): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text;
}
