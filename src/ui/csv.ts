/** Lines as CSV (RFC 4180), with a byte order mark so that spreadsheets read UTF-8. */
export function csv(lines: readonly (readonly string[])[]): string {
  return `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Escapes text from the server that a spreadsheet would run as a formula. */
function cell(text: string): string {
  const number = /^-?[\d.]+$/.test(text);
  const safe = !number && /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
