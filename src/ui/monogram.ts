/**
 * Two letters for an instrument without a logo: one of each currency of a pair, otherwise two of
 * the name.
 */
export function monogram(name: string): string {
  const [base = '', quote] = name.split(/[/\-_]/);
  // The Arabic article tells nothing about a name.
  const letters = quote ? [base[0], quote[0]] : [...base.replace(/^ال(?=\S\S)/, '')].slice(0, 2);
  return letters.join('').toUpperCase();
}
