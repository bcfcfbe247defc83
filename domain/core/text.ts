/**
 * Characters that a single line does not hold, because they forge what is read: controls and line
 * breaks, characters that turn or mark the direction of writing, invisible ones that join nothing,
 * and halves of characters. Joiners stay: Persian, Hindi and emoji need them.
 */
const FORGING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060\ufeff\ufff9-\ufffb]/u;

/** Whether text is safe within a line, also in the operator's terminal: it cannot imitate the text around it. */
export function isSingleLine(text: string): boolean {
  return !FORGING.test(text);
}

/** Text with each such character written as `\u{1b}`. `allowed` stay as they are. */
export function escapeControls(text: string, allowed = ''): string {
  return text.replace(new RegExp(FORGING, 'gu'), (sign) =>
    allowed.includes(sign) ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}
