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

/** The zeros of Arabic-Indic, Persian, Devanagari, Thai and full-width digits. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0xff10];

/** Text with the digits of these scripts as 0 to 9. */
export function latinDigits(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (character) => {
    const code = character.charCodeAt(0);
    const zero = ZEROS.find((zero) => code >= zero && code <= zero + 9);
    return zero === undefined ? character : String(code - zero);
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
