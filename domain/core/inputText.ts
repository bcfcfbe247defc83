/** What people type: searches and codes. */

/**
 * Text as searches compare it: without case, accents and wide forms, the same in every language. The Turkish letters
 * without and with a dot are one, and so are both forms of the Greek sigma.
 */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
    .replaceAll('ς', 'σ');
}

/** Text with the decimal digits of any script as 0 to 9. */
export function latinDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    // Unicode has the ten digits of a script in a row, from the zero.
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}

/**
 * A code as it was sent, however a person types or pastes it: digits of any script, in groups or with invisible marks. Dashes
 * stay in a code that has letters.
 */
export function readCode(text: string): string {
  const code = latinDigits(text).replace(/[\s\p{Cf}]/gu, '');
  const digits = code.replace(/[\p{Pd}.]/gu, '');
  return /^\d+$/.test(digits) ? digits : code;
}
