import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded, readCode } from '#domain/core/inputText';

describe('a search', () => {
  it('finds a name in any case, with or without accents, whatever the language', () => {
    for (const [typed, name] of [
      ['italya', 'İTALYA'],
      ['ITALYA', 'italya'],
      ['ısparta', 'ISPARTA'],
      ['zurich', 'Zürich'],
      ['ελλαδα', 'ΕΛΛΆΔΑ'],
      ['usd', 'ＵＳＤ'],
      ['한국', '한국어'],
    ] as const)
      expect(folded(name)).toContain(folded(typed));
  });

  it('folds what is folded no further', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(folded(folded(text))).toBe(folded(text));
      }),
    );
  });
});

describe('a code', () => {
  it.each([
    '123456',
    '123 456',
    ' 123-456 ',
    '12\u200b3\u00a0456\u200e',
    '١٢٣٤٥٦',
    '１２３　４５６',
    '123\u2013456',
  ])('typed as %j is what was sent', (typed) => expect(readCode(typed)).toBe('123456'));

  it('with letters keeps its dashes', () => {
    expect(readCode(' ABCD-EF12\u200b ')).toBe('ABCD-EF12');
  });
});
