import { randomUUID } from 'node:crypto';
import * as common from '#domain/api/common';
import { CODE_MALFORMED, CODE_OK, CODE_SIGNED_OUT } from '#domain/api/envelope';
import * as market from '#domain/api/market';
import * as trading from '#domain/api/trading';
import * as user from '#domain/api/user';
import * as wallet from '#domain/api/wallet';
import type { Check } from '../check';
import { featureOf, named } from '../endpoints';
import { expectSame, expectThat } from '../expectations';

/** More than a body may have. */
const TOO_LONG = 'x'.repeat(66 * 1024);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Envelope, errors, headers and parameters (protocol.md#conventions). */
export const conventions: readonly Check[] = [
  {
    section: 'envelope',
    name: 'an answer is code, msg and data, and is not to be stored',
    async run(target) {
      const answer = await target.call(common.basicInfo);
      expectSame('the status', answer.status, 200);
      expectSame('the code', answer.code, CODE_OK);
      expectThat(
        answer.headers.get('cache-control')?.includes('no-store') ?? false,
        'Cache-Control is not no-store',
      );
    },
  },
  {
    section: 'errors',
    name: 'an unknown path is 404',
    async run(target) {
      const { status } = await target.fetch('/v1/api/forex/no_such_call');
      expectSame('the status', status, 404);
    },
  },
  {
    section: 'errors',
    name: 'a body that is too large is 413',
    async run(target) {
      const { status } = await target.fetch('/api/user/loginForU', {
        method: 'POST',
        headers: FORM,
        body: `account=${TOO_LONG}`,
      });
      expectSame('the status', status, 413);
    },
  },
  {
    section: 'requests',
    name: 'a compressed body is 415',
    async run(target) {
      const { status } = await target.fetch('/api/user/loginForU', {
        method: 'POST',
        headers: { ...FORM, 'content-encoding': 'gzip' },
        body: 'account=a',
      });
      expectSame('the status', status, 415);
    },
  },
  {
    section: 'requests',
    name: 'an unknown or missing language is hk',
    async run(target) {
      const ask = async (lang: Record<string, string>) => {
        const headers = { ...lang };
        const { text } = await target.fetch(market.categoryList.path, { headers });
        return text;
      };
      const hk = await ask({ lang: 'hk' });
      expectSame('without lang', await ask({}), hk);
      expectSame('with an unknown lang', await ask({ lang: 'xx' }), hk);
      expectThat((await ask({ lang: 'en' })) !== hk, 'en and hk are the same text');
    },
  },
  {
    section: 'requests',
    name: 'a token is read from the header only',
    async run(target) {
      const token = await target.demo();
      const { code } = await target.call(
        wallet.balance,
        { token, authorization: token },
        { headers: { cookie: `token=${token}; authorization=${token}` } },
      );
      expectSame('the code', code, CODE_SIGNED_OUT);
    },
  },
  {
    section: 'requests',
    name: 'a POST may be a form or JSON',
    async run(target) {
      const sent = { account: `${randomUUID()}@example.com`, password: 'x', login_type: 'email' };
      const form = await target.fetch('/api/user/loginForU', {
        method: 'POST',
        headers: { ...FORM, lang: 'en' },
        body: String(new URLSearchParams(sent)),
      });
      const json = await target.fetch('/api/user/loginForU', {
        method: 'POST',
        headers: { 'content-type': 'application/json', lang: 'en' },
        body: JSON.stringify(sent),
      });
      expectThat(form.code > 1, `a wrong login has code ${form.code}`);
      expectSame('the answer to JSON', [json.code, json.msg], [form.code, form.msg]);
    },
  },
  {
    section: 'parameters',
    name: 'a parameter given twice is malformed',
    async run(target) {
      const path = `${market.klines.path}?forex_id=1&forex_id=2&period=1min`;
      expectSame('the code', (await target.fetch(path)).code, CODE_MALFORMED);
    },
  },
  {
    section: 'parameters',
    name: 'unknown parameters are ignored, and an empty one counts as missing',
    async run(target) {
      const token = await target.demo();
      const { code } = await target.call(
        trading.orderList,
        { status: '', page: '', nobody_knows: 1 },
        { token },
      );
      expectSame('the code', code, CODE_OK);
    },
  },
  {
    section: 'idempotency',
    name: 'a changing call that another site sends is refused with 403',
    async run(target) {
      const { code } = await target.call(
        user.openDemo,
        { demo_id: randomUUID() },
        { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } },
      );
      expectSame('the code', code, 403);
    },
  },
];

/** Who may make which call: of every call of the table (protocol.md#public-calls). */
export const access: readonly Check[] = named().flatMap((entry) => {
  const { name, subject, endpoint } = entry;
  if (endpoint.access === 'public') return [];
  const feature = featureOf(entry);
  const common = { section: 'public-calls', ...(feature && { feature }) };
  const checks: Check[] = [
    {
      ...common,
      name: `${subject}.${name} needs a token`,
      async run(target) {
        for (const token of ['', 'not-a-token']) {
          const { code } = await target.call(endpoint, {}, { token });
          expectSame('the code', code, CODE_SIGNED_OUT);
        }
      },
    },
  ];
  if (endpoint.access === 'real') {
    checks.push({
      ...common,
      name: `${subject}.${name} is refused for demo users`,
      async run(target) {
        const { code } = await target.call(endpoint, {}, { token: await target.demo() });
        expectSame('the code', code, 2);
      },
    });
  }
  return checks;
});
