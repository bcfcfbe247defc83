import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEmail, readNumber, readPicture } from '#domain/core/read';

it('reads any plain decimal as the nearest double, short or long', () => {
  const digits = fc.stringMatching(/^\d{1,20}$/);
  fc.assert(
    fc.property(fc.constantFrom('', '-', '+'), digits, fc.option(digits), (sign, whole, rest) => {
      fc.pre(whole.length === 1 || !whole.startsWith('0'));
      const text = `${sign}${whole}${rest === null ? '' : `.${rest}`}`;
      expect(readNumber(text)).toBe(Number(text));
    }),
    { numRuns: 2000 },
  );
});

it.each(['', ' ', '-', '.', '.5', '1.2.3', '0x10', 'Infinity', 'NaN', '1,5', '--1'])(
  'reads %j as no number',
  (text) => expect(readNumber(text)).toBeUndefined(),
);

describe('the address of a picture', () => {
  it.each([
    'https://cdn.example/a.png',
    'http://localhost:3000/api/common/image/x',
    'HTTPS://cdn.example/a.png',
    '/logos/eur.png',
    'data:image/png;base64,iVBORw0KGgo=',
    'data:image/webp;base64,UklGRg==',
  ])('%j is accepted', (address) => {
    expect(readPicture(address)).toBe(address);
    expect(readPicture(` ${address}\n`)).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'blob:https://cdn.example/1',
    'file:///etc/passwd',
    'vbscript:x',
    'ftp://cdn.example/a.png',
    'https:',
    'https:///',
    'logo.png',
    '//cdn.example/a.png',
    '',
    null,
    undefined,
    {},
    ['https://cdn.example/a.png'],
  ])('%j is not accepted', (address) => {
    expect(readPicture(address)).toBe('');
  });
});

describe('an address of a mailto: link', () => {
  it.each(['us@example.com', ' complaints+2@example.co.uk ', '投诉@example.com'])(
    '%j is accepted',
    (address) => expect(readEmail(address)).toBe(address.trim()),
  );

  it.each([
    ...['a@example.com?bcc=b@evil.example', 'a@example.com?subject=x', '?bcc=b@evil.example'],
    ...['a@b@c', 'a b@example.com', 'a@example.com\nbcc: b', '<a@example.com>', '"a"@example.com'],
    ...['@', 'a@', '', 'https://example.com', 5, null, undefined, {}, ['a@example.com']],
  ])('%j is not accepted', (address) => expect(readEmail(address)).toBeUndefined());
});

/** The names of the fields whose texts become a `src`, wherever they are read. */
const SHOWN = /(?:\['|[ {])(Logo|logo|avatar|image|b64s|front_pic|reverse_pic)(?:'\]|: [^s])/;

const readers = import.meta.glob<string>('../../../domain/api/*.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
});

it.each(Object.entries(readers))('%s reads every picture as one', (_path, source) => {
  const lines = source.split('\n').filter((line) => SHOWN.test(line));
  // `pictureUrl` is a parameter, which no page shows.
  const safe = /readPicture\(|: (?:picture|dataPicture|pictureUrl)[, ]/;
  expect(lines.filter((line) => !safe.test(line))).toEqual([]);
});

it('lists every field that is read as a picture', () => {
  const found = Object.values(readers).filter((source) => SHOWN.test(source));
  expect(found.length).toBeGreaterThanOrEqual(6);
});
