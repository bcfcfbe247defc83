/** Characters of a scrubbed message. */
const MOST = 200;
const LONGEST_WORD = 30;
const CUT = '…';

/** Where a value begins that a program puts into its sentence: a colon, or a quote that no word has in it. */
const VALUE = /[:"“”„«»`‘]|(?:^|[^\w])['’]/;

/**
 * An error's message without what may be a user's: whatever follows the first quote or colon, every word with a digit (amounts, tokens,
 * numbers), addresses, very long words and those of other alphabets. What remains is the beginning of a program's sentence. Applied
 * twice, it changes nothing more. Used before a report is sent, and again where it arrives (protocol.md#client-errors).
 *
 *     scrubbed('Uncaught RangeError: not a decimal: 12.50 of "Ann"'); // 'not a decimal …'
 */
export function scrubbed(message: string): string {
  const text = message
    .slice(0, 10 * MOST)
    .replace(/\s+/g, ' ')
    .replace(/^(?:Uncaught |\(in promise\) |[A-Za-z]{0,40}(?:Error|Exception): ?)+/, '');
  const [sentence = ''] = text.split(VALUE, 1);
  const words = sentence.split(' ').map((word) => (isPlain(word) ? word : CUT));
  if (sentence.length < text.length) words.push(CUT);
  return words
    .filter(Boolean)
    .join(' ')
    .replace(/…(?: …)+/g, CUT)
    .slice(0, MOST);
}

const isPlain = (word: string) =>
  word === CUT || (word.length <= LONGEST_WORD && /^[!-~]*$/.test(word) && !/[\d@/\\]/.test(word));
