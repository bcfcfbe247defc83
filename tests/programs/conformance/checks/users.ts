import { randomUUID } from 'node:crypto';
import type { WriteId } from '#domain/account/syncedSettings';
import * as account from '#domain/api/account';
import * as alerts from '#domain/api/alerts';
import { CODE_OK, CODE_SIGNED_OUT } from '#domain/api/envelope';
import * as mining from '#domain/api/mining';
import * as security from '#domain/api/security';
import * as syncedSettings from '#domain/api/settings';
import * as user from '#domain/api/user';
import { multiply, toDecimal, toFixed } from '#domain/core/decimal';
import { SoftAuthenticator } from '../../../helpers/softAuthenticator';
import type { Check } from '../check';
import { expectSame, expectThat, Skipped } from '../expectations';
import { OPTIONAL_OF_USER, type Target } from '../target';

/** Users, their sessions, alerts and subscriptions. */
export const userCalls: readonly Check[] = [
  {
    section: 'demo-login',
    name: 'the same demo_id is the same demo user, who is one',
    async run(target) {
      const demo_id = randomUUID();
      const open = () => target.ask(user.openDemo, { demo_id }, { optional: OPTIONAL_OF_USER });
      const first = await open();
      const again = await open();
      expectSame('the user', again.user.id, first.user.id);
      expectSame('is_demo', first.user.is_demo, 1);
    },
  },
  {
    section: 'login',
    name: 'a wrong password and an unknown account are answered alike',
    async run(target) {
      const ask = async (name: string) => {
        const params = { account: name, password: 'wrong', login_type: 'email' };
        const { code, msg } = await target.call(account.login, params);
        return [code, msg];
      };
      const unknown = await ask(`${randomUUID()}@example.com`);
      expectThat(unknown[0] !== 1, 'it is accepted');
      expectSame('another account', await ask(`${randomUUID()}@example.com`), unknown);
    },
  },
  {
    section: 'logout',
    name: 'a logout ends the session, over HTTP and on its socket',
    async run(target) {
      const token = await target.demo('leaving');
      const socket = await target.socket();
      expectSame('the login', await socket.login(token), 1);
      await target.call(user.logout, {}, { token });
      const { code } = await target.call(user.userInfo, {}, { token });
      expectSame('the code after it', code, CODE_SIGNED_OUT);
      expectSame('a login with its token', await socket.login(token), CODE_SIGNED_OUT);
    },
  },
  {
    section: 'socket-login',
    name: 'a socket hears nothing but 999 of the end of its session, and can log in again',
    async run(target) {
      const socket = await target.socket();
      const token = await target.demo('ended');
      expectSame('the login', await socket.login(token), CODE_OK);
      const from = socket.received.length;
      await target.call(user.logout, {}, { token });
      await socket.settled();
      for (const { type, code } of socket.received.slice(from)) {
        if (type === 'login') expectSame('what it hears unasked', code, CODE_SIGNED_OUT);
      }
      socket.send({ type: 'login', token: await target.demo() });
      await socket.next('the next login', ({ code }) => code === CODE_OK, from);
    },
  },
  {
    section: 'login',
    name: 'a real user logs in',
    async run(target) {
      const token = await target.real();
      const options = { token, optional: OPTIONAL_OF_USER };
      const { is_demo } = await target.ask(user.userInfo, {}, options);
      expectSame('is_demo', is_demo, 0);
    },
  },
  {
    section: 'settings',
    name: 'is_show_mobile is 0 or 1',
    async run(target) {
      const { key, value } = await target.ask(account.setting, { key: 'is_show_mobile' });
      expectSame('the key', key, 'is_show_mobile');
      expectThat(['0', '1'].includes(value), `it is ${value}`);
    },
  },
  {
    section: 'settings',
    name: 'another key than is_show_mobile is refused',
    async run(target) {
      const { code } = await target.call(account.setting, { key: 'secret' });
      expectThat(code !== 1, 'it is answered');
    },
  },
  {
    section: 'alerts',
    feature: 'alerts',
    name: 'an alert waits on its side, is listed and deleted',
    async run(target) {
      const token = await target.demo();
      const { Id, PricePrecision, ForexQuotations } = await target.openInstrument();
      for (const [factor, Above] of [
        ['2', 1],
        ['0.5', 0],
      ] as const) {
        const price = toFixed(
          multiply(toDecimal(ForexQuotations.Close), toDecimal(factor)),
          PricePrecision,
        );
        const added = await target.ask(
          alerts.addAlert,
          { forex_id: Id, price, quote: '0', repeat: 0, note: 'conformance', until: 0 },
          { token, key: randomUUID() },
        );
        expectSame('Above and Price', [added.Above, Number(added.Price)], [Above, Number(price)]);
        expectSame('listed', (await waiting(target, token)).includes(added.Id), true);
        const { code } = await target.call(
          alerts.deleteAlert,
          { id: added.Id },
          { token, key: randomUUID() },
        );
        expectSame('the code of deleting', code, 1);
        expectSame('listed after it', (await waiting(target, token)).includes(added.Id), false);
      }
    },
  },
  {
    section: 'alert-push',
    feature: 'alerts',
    name: 'an alert whose price was crossed already triggers immediately, once',
    async run(target) {
      const token = await target.demo();
      const socket = await target.socket();
      socket.send({ type: 'sub', topic: 'FOREX_TRADE' });
      await socket.login(token);
      const { Id, PricePrecision, ForexQuotations } = await target.openInstrument();
      const half = (factor: string) =>
        toFixed(multiply(toDecimal(ForexQuotations.Close), toDecimal(factor)), PricePrecision);
      const added = await target.ask(
        alerts.addAlert,
        { forex_id: Id, price: half('0.6'), quote: half('0.5'), repeat: 0, note: '', until: 0 },
        { token, key: randomUUID() },
      );
      const isIt = ({ type, data }: Record<string, unknown>) =>
        type === 'FOREX_ALERT' && (data as { Id?: number }).Id === added.Id;
      await socket.next('FOREX_ALERT', isIt);
      await socket.settled();
      expectSame('how often', socket.received.filter(isIt).length, 1);
      expectSame('still waiting', (await waiting(target, token)).includes(added.Id), false);
    },
  },
  {
    section: 'synced-settings',
    feature: 'settings',
    name: 'fields are read since a revision, with deletions',
    async run(target) {
      const token = await target.demo('settings');
      const settings = settingsOf(target, token);
      const { revision: first } = await settings.save({ 'watch/1': { at: 1 }, 'watch/2': 'two' });
      const { revision } = await settings.save({ 'watch/1': [true] }, ['watch/2'], first);
      expectThat(revision > first, `revision ${revision} comes after ${first}`);
      const { docs, ...changes } = await settings.since(first);
      expectSame('the revision', changes.revision, revision);
      const [doc] = docs;
      expectSame('the field', doc?.fields['watch/1'], { value: [true], revision });
      expectSame('what is gone', doc?.gone, [{ field: 'watch/2', revision }]);
      const [all] = (await settings.since(0)).docs;
      expectSame('all fields', Object.keys(all?.fields ?? {}), ['watch/1']);
      expectSame('after the last one', (await settings.since(revision)).docs, []);
    },
  },
  {
    section: 'synced-settings',
    feature: 'settings',
    name: 'the later write counts, and what it replaces unseen is answered',
    async run(target) {
      const settings = settingsOf(target, await target.demo('settings'));
      const { revision } = await settings.save({ theme: 'light', trend: 'red-up' });
      await settings.save({ theme: 'dark', trend: 'green-up' }, [], revision);
      const { replaced } = await settings.save({ theme: 'system' }, ['trend'], revision);
      expectSame(
        'replaced',
        [...replaced].sort((a, b) => a.field.localeCompare(b.field)),
        [
          { field: 'theme', value: 'dark' },
          { field: 'trend', value: 'green-up' },
        ],
      );
      const { docs } = await settings.since(revision);
      expectSame('the value', docs[0]?.fields['theme']?.value, 'system');
    },
  },
  {
    section: 'synced-settings',
    feature: 'settings_once',
    name: 'a repeated write is answered as the first one, and written once',
    async run(target) {
      const settings = settingsOf(target, await target.demo('settings'));
      const id = { device: randomUUID(), number: 1 };
      const { revision } = await settings.save({ theme: 'light' });
      const { revision: base } = await settings.save({ theme: 'dark' }, [], revision);
      const first = await settings.save({ theme: 'system' }, [], revision, id);
      expectSame('replaced', first.replaced, [{ field: 'theme', value: 'dark' }]);
      const later = await settings.save({ theme: 'light' }, [], base + 1);
      expectSame('repeated', await settings.save({ theme: 'system' }, [], revision, id), first);
      const { docs } = await settings.since(revision);
      const value = { value: 'light', revision: later.revision };
      expectSame('the value', docs[0]?.fields['theme'], value);
      await settings.save({ trend: 'red-up' }, [], later.revision, { ...id, number: 2 });
      for (const [what, number, theme] of [
        ['late', 1, 'system'],
        ['with other contents', 2, 'dark'],
      ] as const) {
        const { code } = await settings.post({ theme }, revision, { ...id, number });
        expectSame(`code of a write ${what}`, code, 422);
      }
    },
  },
  {
    section: 'synced-settings',
    feature: 'settings',
    name: 'more than 200 KB are refused, and nothing of them is written',
    async run(target) {
      const settings = settingsOf(target, await target.demo('settings'));
      const { revision } = await settings.since(0);
      const { code } = await settings.post({ large: 'x'.repeat(210_000) });
      expectThat(code !== 1, 'they are taken');
      expectSame('what is written', (await settings.since(revision)).docs, []);
    },
  },
  {
    section: 'settings-push',
    feature: 'settings',
    name: 'a write is told to the sockets of its user',
    async run(target) {
      const token = await target.demo('settings');
      const socket = await target.socket();
      socket.send({ type: 'sub', topic: 'FOREX_TRADE' });
      await socket.login(token);
      const { revision } = await settingsOf(target, token).save({ told: randomUUID() });
      await socket.next(
        'SETTINGS',
        ({ type, data }) =>
          type === 'SETTINGS' && (data as { revision?: number }).revision === revision,
      );
    },
  },
  {
    section: 'passkeys',
    feature: 'passkeys',
    name: 'the options of a login ask for verification, name nobody and differ by their challenge',
    async run(target) {
      const first = await target.ask(security.passkeyLoginOptions);
      const second = await target.ask(security.passkeyLoginOptions);
      expectSame('userVerification', first['userVerification'], 'required');
      expectThat(!('allowCredentials' in first), 'it names passkeys');
      expectThat(first.challenge !== second.challenge, 'the challenge is the same');
    },
  },
  {
    section: 'passkeys',
    feature: 'passkeys',
    name: 'a passkey of nobody is refused',
    async run(target) {
      const options = await target.ask(security.passkeyLoginOptions);
      const stranger = new SoftAuthenticator(originOf(target, options.rpId));
      const response = stranger.get(options, { userHandle: 'AAAA' });
      const body = JSON.stringify({ response });
      const { code } = await target.call(security.passkeyLogin, {}, { body, headers: JSON_BODY });
      expectThat(code !== CODE_OK, 'it is accepted');
    },
  },
  {
    section: 'passkeys',
    feature: 'passkeys',
    name: 'a passkey is added with the password alone, logs in once an answer, and is removed',
    async run(target) {
      const token = await target.real();
      const password = target.password;
      const refused = await target.call(security.passkeyOptions, { password: '' }, { token });
      expectThat(refused.code !== CODE_OK, 'it is offered without the password');
      const creation = await target.ask(security.passkeyOptions, { password }, { token });
      const authenticator = new SoftAuthenticator(originOf(target, creation.rp.id));
      const sent = (response: object) => ({
        headers: JSON_BODY,
        body: JSON.stringify({ response, name: 'conformance' }),
      });
      const made = { ...sent(authenticator.create(creation)), token };
      const added = await target.ask(security.addPasskey, {}, made);
      expectSame('the name', added.name, 'conformance');
      const listed = await target.ask(security.passkeyList, {}, { token });
      expectThat(
        listed.some(({ id }) => id === added.id),
        'it is not listed',
      );
      const login = sent(authenticator.get(await target.ask(security.passkeyLoginOptions)));
      const options = { ...login, optional: OPTIONAL_OF_USER };
      await target.ask(security.passkeyLogin, {}, options);
      const again = await target.call(security.passkeyLogin, {}, login);
      expectThat(again.code !== CODE_OK, 'the same answer logs in twice');
      const removal = { id: added.id, password };
      const { code } = await target.call(security.deletePasskey, removal, { token });
      expectSame('the code of removing', code, CODE_OK);
    },
  },
  {
    section: 'conditions',
    feature: 'conditions',
    name: 'an alert keeps what it is on, and what nobody can watch is refused',
    async run(target) {
      const token = await target.demo();
      const { Id } = await target.openInstrument();
      const line = { t1: 1, p1: 1, t2: 253_402_300_799_999, p2: 2, scale: 'log', extend: 'both' };
      const rsi = { name: 'rsi', settings: [14], output: 'rsi', period: '60min', cross: 'any' };
      const ask = (kind: string, params: object) => ({
        ...{
          forex_id: kind === 'margin' ? 0 : Id,
          price: '0',
          kind,
          params: JSON.stringify(params),
        },
      });
      for (const [kind, params] of [
        ['indicator', { ...rsi, level: 30 }],
        ['indicator', { ...rsi, other: 'price' }],
        ['line', line],
        ['percent', { change: 500, window: 'hour' }],
        ['margin', { level: 100 }],
      ] as const) {
        const options = { token, key: randomUUID(), optional: ['Kind', 'Params'] };
        const added = await target.ask(alerts.addAlert, ask(kind, params), options);
        expectSame('Kind', added.Kind, kind);
        expectSame('Params', sorted(JSON.parse(added.Params ?? '')), sorted(params));
        expectSame('listed', (await waiting(target, token)).includes(added.Id), true);
      }
      for (const [kind, params] of [
        ['indicator', rsi],
        ['indicator', { ...rsi, settings: [1e9], level: 30 }],
        ['line', { ...line, p1: -1 }],
        ['line', { ...line, t2: 1 }],
        ['percent', { change: null, window: 'day' }],
        ['margin', { level: 0 }],
        ['other', {}],
      ] as const) {
        const { code } = await target.call(alerts.addAlert, ask(kind, params), {
          ...{ token, key: randomUUID() },
        });
        expectThat(code !== 1, `${kind} ${JSON.stringify(params)} is accepted`);
      }
    },
  },
  {
    section: 'conditions',
    feature: 'conditions',
    name: 'a line that was crossed already triggers immediately, once',
    async run(target) {
      const token = await target.demo();
      const { Id, PricePrecision, ForexQuotations } = await target.openInstrument();
      const close = toDecimal(ForexQuotations.Close);
      const at = (factor: string) => toFixed(multiply(close, toDecimal(factor)), PricePrecision);
      const [p1, quote] = [Number(at('0.6')), at('0.5')];
      const line = { t1: 1, p1, t2: 253_402_300_799_999, p2: p1, scale: 'linear', extend: 'both' };
      const added = await target.ask(
        alerts.addAlert,
        { forex_id: Id, price: '0', quote, kind: 'line', params: JSON.stringify(line) },
        { token, key: randomUUID(), optional: ['Kind', 'Params'] },
      );
      expectThat(added.TriggeredAt !== '', 'it has not triggered');
      expectSame('still waiting', (await waiting(target, token)).includes(added.Id), false);
    },
  },
  {
    section: 'subscriptions',
    name: 'an amount below the least is refused',
    async run(target) {
      const { data } = await target.ask(mining.fundList);
      const fund = data.find(({ staring_sub_amount }) => Number(staring_sub_amount) > 0);
      if (!fund) throw new Skipped('no fund has a least amount');
      for (const amount of ['0.01', '0', '-1', 'all']) {
        const { code } = await target.call(
          mining.buyFund,
          { id: fund.id, amount },
          { token: await target.demo() },
        );
        expectThat(code !== 1, `${amount} is accepted`);
      }
    },
  },
];

/** The settings of a user, in one document. */
function settingsOf(target: Target, token: string) {
  const headers = { 'content-type': 'application/json' };
  const given = (set: object, del: string[], base: number, id?: WriteId) => ({
    ...{ token, headers },
    body: JSON.stringify({ name: 'conformance', base, set, del, id }),
  });
  return {
    since: (since: number) => target.ask(syncedSettings.settingsChanges, { since }, { token }),
    save: (set: object, del: string[] = [], base = 0, id?: WriteId) =>
      target.ask(syncedSettings.saveSettings, {}, given(set, del, base, id)),
    post: (set: object, base = 0, id?: WriteId) =>
      target.call(syncedSettings.saveSettings, {}, given(set, [], base, id)),
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

/** The page that a server's passkeys are for: its own, or that of another host that it names. */
function originOf({ url }: Target, host = url.hostname): string {
  return host === url.hostname ? url.origin : `https://${host}`;
}

async function waiting(target: Target, token: string): Promise<number[]> {
  const { data } = await target.ask(alerts.alertList, {}, { token });
  return data.map(({ Id }) => Id);
}

/** The fields of an object in the order of their names. */
function sorted(fields: object): unknown {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}
