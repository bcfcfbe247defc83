import { describe, expect, it } from 'vitest';
import { isEmail } from '#domain/account/address';
import { escapeControls, isSingleLine } from '#domain/core/text';

describe('text on one line', () => {
  it.each([
    '',
    'Ada Lovelace',
    "O'Neill-Müller, Ltd. <&>",
    '王小明',
    'مریم می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d💻',
    'a\u0301',
  ])('may be %j', (text) => expect(isSingleLine(text)).toBe(true));

  it.each([
    'a\nb',
    'a\rb',
    'a\tb',
    '\u001b[2J',
    '\u007f',
    '\u0085',
    '\u009b31m',
    'a\u2028b',
    'a\u2029b',
    '\u202eevil',
    '\u2066x',
    '\u200fx',
    '\u061cx',
    'a\u200bb',
    '\ufeffx',
    '\ud800',
  ])('may not be %j', (text) => {
    expect(isSingleLine(text)).toBe(false);
    expect(isSingleLine(escapeControls(text))).toBe(true);
  });

  it('has each control character escaped', () => {
    expect(escapeControls('a\u001b[2Jb\n')).toBe('a\\u{1b}[2Jb\\u{a}');
    expect(escapeControls('a\nb\u0007', '\n')).toBe('a\nb\\u{7}');
  });
});

it.each(['a\u202eb@example.com', 'a\u001bb@example.com', 'a\u200bb@example.com'])(
  '%j is no email address',
  (email) => expect(isEmail(email)).toBe(false),
);
