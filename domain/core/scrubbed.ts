/** Bytes that a message has at most, which bounds the work as well. */
const MOST = 200;
const LONGEST_WORD = 30;
const CUT = '…';

/**
 * An error's message without what may be a user's: quoted text, whatever follows a colon, addresses, every word with a digit (amounts,
 * tokens, numbers), very long words and those of other alphabets. What remains is the sentence of a program. Applied twice, it
 * changes nothing more. Used before a report is sent, and again where it arrives (protocol.md#client-errors).
 *
 *     scrubbed('Uncaught RangeError: not a decimal: 12.50 of "Ann"'); // 'not a decimal: …'
 */
export function scrubbed(message: string): string {
  const text = message
    .slice(0, 10 * MOST)
    .replace(/\s+/g, ' ')
    .replace(/^(Uncaught |\(in promise\) |[A-Za-z]*(Error|Exception): ?)+/, '');
  // A quote in the text may be the user's own: from the first to the last, and to the end where only one is left.
  const unquoted = [/["“„«].*(["”“»]|$)/, /`.*(`|$)/, /(^|[^\w])['‘].*(['’](?!\w)|$)/].reduce(
    (rest, quoted) => rest.replace(quoted, ` ${CUT} `),
    text,
  );
  return unquoted
    .replace(/:(?= ?\S).*/, `: ${CUT}`)
    .split(' ')
    .map((word) => (isPlain(word) ? word : CUT))
    .join(' ')
    .replace(/…( …)+/g, CUT)
    .trim()
    .slice(0, MOST);
}

const isPlain = (word: string) =>
  word === CUT ||
  word === `:${CUT}` ||
  (word.length <= LONGEST_WORD && /^[!-~]*$/.test(word) && !/[\d@/\\]/.test(word));
