import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csv } from '../../../src/ui/csv';

/** A reader by RFC 4180, written apart from the writer. */
function read(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 1;
  while (at < text.length) {
    let value = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        if (text[at] === '"' && text[at + 1] === '"') {
          value += '"';
          at += 2;
        } else if (text[at] === '"') {
          at += 1;
          break;
        } else {
          value += text[at];
          at += 1;
        }
      }
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
        value += text[at];
        at += 1;
      }
    }
    line.push(value);
    if (text[at] === ',') at += 1;
    else {
      expect(text.slice(at, at + 2)).toBe('\r\n');
      at += 2;
      lines.push(line);
      line = [];
    }
  }
  return lines;
}

const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
const cell = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('=', '-', '+', '@', '"', ',', '\r', '\n', '\t', "'", '1', '.', '＝'),
  }),
  fc.double({ noNaN: true }).map((value) => value.toFixed(5)),
);

test('what is written is read again, and nothing of it is a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      (lines) => {
        const text = csv(lines);
        expect(text[0]).toBe('\uFEFF');
        const back = read(text);
        expect(back).toHaveLength(lines.length);
        for (const [row, line] of lines.entries()) {
          for (const [column, value] of line.entries()) {
            const cell = back[row]?.[column] ?? '';
            const isNumber = /^-?[\d.]+$/.test(value);
            expect(cell).toBe(!isNumber && FORMULA.test(value) ? `'${value}` : value);
            if (!isNumber) expect(cell).not.toMatch(FORMULA);
          }
        }
      },
    ),
  );
});
