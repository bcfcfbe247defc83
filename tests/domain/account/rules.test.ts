import { describe, expect, it } from 'vitest';
import { isEmail, normalEmail } from '#domain/account/address';
import {
  amendProblems,
  forgottenProblems,
  loginProblems,
  realAccountProblem,
  realNameProblems,
  registerProblems,
} from '#domain/account/rules';
import english from '#locales/en';

const sentence = (key: string | undefined) =>
  key === undefined ? undefined : (english.rules as Record<string, string>)[key];

const password = 'correct horse';
const registration = {
  type: 'email' as const,
  account: 'ada@example.com',
  password,
  repeated: password,
  inviteCode: 'ABCD2345',
  code: '123456',
};

describe('registration (domain.md#registration-form)', () => {
  it.each([
    ['nothing wrong', {}, undefined, undefined],
    ['no email', { account: '' }, 'account', 'Please enter your email address'],
    [
      'no phone',
      { type: 'mobile' as const, account: '' },
      'account',
      'Please enter your cell phone number',
    ],
    ['no address', { account: 'ada' }, 'account', 'This is not an email address'],
    [
      'no number',
      { type: 'mobile' as const, account: '852' },
      'account',
      'This is not a phone number',
    ],
    ['a number', { type: 'mobile' as const, account: '85261234567' }, undefined, undefined],
    ['no password', { password: '' }, 'password', 'Please enter your password'],
    [
      'a short password',
      { password: 'seven77', repeated: 'seven77' },
      'password',
      'The password needs at least {{min}} characters',
    ],
    [
      'eight astral characters',
      { password: '🐎'.repeat(8), repeated: '🐎'.repeat(8) },
      undefined,
      undefined,
    ],
    [
      '128 characters',
      { password: 'x'.repeat(128), repeated: 'x'.repeat(128) },
      undefined,
      undefined,
    ],
    [
      '129 characters',
      { password: 'x'.repeat(129), repeated: 'x'.repeat(129) },
      'password',
      'The password may have at most {{max}} characters',
    ],
    ['no repetition', { repeated: '' }, 'repeated', 'Re-type the password'],
    ['another repetition', { repeated: `${password} ` }, 'repeated', 'Password inconsistency'],
    ['no invitation', { inviteCode: '' }, 'inviteCode', 'Please enter the invitation code'],
    ['no code', { code: '' }, 'code', 'Please enter the verification code'],
  ])('%s', (_, changes, field, text) => {
    const [problem] = registerProblems({ ...registration, ...changes });
    expect(problem?.field).toBe(field);
    expect(sentence(problem?.message.key)).toBe(text);
  });

  it('returns the problem of every field, in the order of the form', () => {
    const nothing = { password: '', repeated: '', inviteCode: '', code: '' };
    const problems = registerProblems({ ...registration, account: '', ...nothing });
    expect(problems.map(({ field }) => field)).toEqual([
      'account',
      'password',
      'repeated',
      'inviteCode',
      'code',
    ]);
  });
});

describe('login (domain.md#login-form)', () => {
  it.each([
    ['email', '', password, 'account', 'Please enter your email address'],
    ['mobile', '', password, 'account', 'Please enter your cell phone number'],
    ['email', 'ada@example.com', '', 'password', 'Please enter your password'],
    ['email', 'whatever', 'x', undefined, undefined],
  ] as const)('by %s %j', (type, account, given, field, text) => {
    const [problem] = loginProblems({ type, account, password: given });
    expect(problem?.field).toBe(field);
    expect(sentence(problem?.message.key)).toBe(text);
  });
});

it('a new password needs two equal entries and a code, in a form with the old one also that (domain.md#password-form)', () => {
  const form = { password, repeated: password, code: '123456' };
  expect(amendProblems(form)).toEqual([]);
  expect(amendProblems({ ...form, oldPassword: 'short' })).toEqual([]);
  const [problem] = amendProblems({ ...form, oldPassword: '', password: '' });
  expect(problem?.field).toBe('oldPassword');
  expect(sentence(problem?.message.key)).toBe('Please enter your old password');
  expect(amendProblems({ ...form, password: '' })[0]?.message.key).toBe('passwordRequired');
  expect(amendProblems({ ...form, repeated: '' })[0]?.message.key).toBe('passwordRepeatRequired');
  expect(amendProblems({ ...form, repeated: 'other one' })[0]?.message.key).toBe('passwordsDiffer');
  expect(amendProblems({ ...form, code: '' })[0]?.message.key).toBe('codeRequired');
  expect(forgottenProblems({ ...form, type: 'email', account: '' })[0]?.field).toBe('account');
  expect(forgottenProblems({ ...form, type: 'email', account: 'a@b.cd' })).toEqual([]);
});

describe('real name (domain.md#verification-form)', () => {
  const form = { name: 'Ada Lovelace', cardId: 'X1234567', fronts: ['/a'], reverses: ['/b'] };
  it.each([
    ['nothing wrong', {}, undefined, undefined],
    [
      'nothing at all',
      { name: ' ', cardId: '' },
      'name',
      'Please complete your personal information',
    ],
    ['no name', { name: '' }, 'name', 'Please enter your name'],
    [
      'a long name',
      { name: 'x'.repeat(101) },
      'name',
      'The name may have at most {{max}} characters',
    ],
    ['no number', { cardId: ' ' }, 'cardId', 'Please enter your passport/ID number'],
    ['no such number', { cardId: '<b>1</b>' }, 'cardId', 'This is not a passport/ID number'],
    ['a number in another script', { cardId: 'ＡＢ１２３４５' }, undefined, undefined],
    [
      'an invisible mark',
      { name: 'Ann\u200e' },
      'name',
      'Please remove line breaks and invisible characters',
    ],
    ['no front', { fronts: [] }, 'fronts', 'Please upload the front and back of your passport/ID'],
    [
      'two fronts',
      { fronts: ['/a', '/c'] },
      'fronts',
      'Please upload the front and back of your passport/ID',
    ],
    [
      'no back',
      { reverses: [] },
      'reverses',
      'Please upload the front and back of your passport/ID',
    ],
    [
      'two backs',
      { reverses: ['/b', '/c'] },
      'reverses',
      'Please upload the front and back of your passport/ID',
    ],
    ['the same twice', { reverses: ['/a'] }, 'reverses', 'Front and back are the same picture'],
  ])('%s', (_, changes, field, text) => {
    const [problem] = realNameProblems({ ...form, ...changes });
    expect(problem?.field).toBe(field);
    expect(sentence(problem?.message.key)).toBe(text);
  });
});

it('is refused for demo users (domain.md#roles)', () => {
  expect(sentence(realAccountProblem({ demo: true })?.key)).toBe(
    'Please register or log in to a real account',
  );
  expect(realAccountProblem({ demo: false })).toBeUndefined();
});

describe('addresses', () => {
  it.each([
    'ada@example.com',
    'ada.l+fulcrum@mail.example.co.uk',
    "o'neil@example.ie",
    'müller@bücher.example',
    '用户@例子.广告',
    'x@xn--bcher-kva.example',
  ])('%s is an email address', (email) => expect(isEmail(email)).toBe(true));

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@example..com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada @example.com',
    '<ada@example.com>',
    'ada@example.com,eve@example.com',
    'ada@example.com;eve@example.com',
    `${'x'.repeat(250)}@example.com`,
  ])('%j is no email address', (email) => expect(isEmail(email)).toBe(false));

  it('compares email addresses without case, surrounding blanks, invisible marks and wide signs', () => {
    expect(normalEmail('\u200eada\u200b＠example．com\u2060')).toBe('ada@example.com');
    expect(normalEmail(' Ada@Example.COM\n')).toBe('ada@example.com');
  });
});
