import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { webhookChannel } from '../../../server/notify/channels';
import { Notifier } from '../../../server/notify/notifier';
import { smtpChannel } from '../../../server/notify/smtpChannel';
import { inTurn } from '../../helpers/samples';
import { emptyDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { PATIENT } from '../support/patient';
import { TestServer } from '../support/testServer';

interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  user: string;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A real SMTP server on loopback that requires a login and refuses as configured. */
async function postOffice() {
  const mails: Mail[] = [];
  const refusals: number[] = [];
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    // There is no certificate, so the login is not encrypted.
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, callback) {
      if (password === 'pass word') callback(null, { user: username });
      else callback(new Error('no'));
    },
    onRcptTo({ address }, _session, callback) {
      const responseCode = refusals.shift();
      if (!responseCode) return callback();
      callback(Object.assign(new Error(`no such person as ${address}`), { responseCode }));
    },
    onData(stream, { envelope, user }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', async () => {
        const { subject = '', text = '' } = await PostalMime.parse(Buffer.concat(chunks));
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address).join(),
          subject,
          text: text.trim(),
          user: String(user),
        });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { mails, refusals, url: `smtp://fulcrum:pass%20word@127.0.0.1:${port}` };
}

/** A service that accepts text messages. */
async function smsService() {
  const messages: { headers: IncomingMessage['headers']; body: unknown }[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      messages.push({ headers: request.headers, body: JSON.parse(body) });
      const status = answers.shift() ?? 202;
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { messages, answers, url: `http://127.0.0.1:${port}/send?sender=Fulcrum` };
}

async function notifier(options: { smtp?: string; sms?: string }) {
  const clock = new FakeClock();
  const log: string[] = [];
  const write = (text: string) => void log.push(text);
  const made = new Notifier({
    channels: {
      email: smtpChannel(options.smtp ?? 'smtp://127.0.0.1:1', 'Fulcrum <no-reply@example.com>'),
      mobile: webhookChannel(options.sms ?? 'http://127.0.0.1:1/', 'token'),
    },
    clock,
    log: { info: write, warn: write, error: write },
  });
  closing.push(() => made.close());
  return { notifier: made, clock, log };
}

const code = { kind: 'code', code: '012345', minutes: 10 } as const;
const ada = { type: 'email', address: 'ada@example.com', language: 'en' } as const;
const phone = { type: 'mobile', address: '85261234567', language: 'en' } as const;

describe('mail', () => {
  it('is sent by SMTP, in the language of its reader', async () => {
    const office = await postOffice();
    const { notifier: made } = await notifier({ smtp: office.url });
    made.send(ada, code);
    await expect.poll(() => office.mails, PATIENT).toHaveLength(1);
    expect(office.mails[0]).toEqual({
      from: 'no-reply@example.com',
      to: 'ada@example.com',
      subject: '012345 is your verification code',
      text: '012345 is your verification code. It is valid for 10 minutes. Do not share it with anyone; we will never ask for it.',
      user: 'fulcrum',
    });
  });

  it('is sent to one address, whatever characters it has', async () => {
    const office = await postOffice();
    const { notifier: made } = await notifier({ smtp: office.url });
    made.send({ ...ada, address: "o'neil+a=b@müller.example" }, code);
    await expect.poll(() => office.mails, PATIENT).toHaveLength(1);
    expect(office.mails[0]?.to).toMatch(/^o'neil\+a=b@(müller|xn--mller-kva)\.example$/);
  });

  it('is sent again after a temporary failure, and is never logged', async () => {
    const office = await postOffice();
    const { notifier: made, clock, log } = await notifier({ smtp: office.url });
    office.refusals.push(451, 451);
    made.send(ada, code);
    await expect.poll(() => log, PATIENT).toHaveLength(1);
    const { host } = new URL(office.url);
    expect(log[0]).toBe(`email notice not delivered by ${host} (451), next try in 2 s`);
    clock.pass(2_000);
    await expect.poll(() => log, PATIENT).toHaveLength(2);
    clock.pass(15_000);
    await expect.poll(() => office.mails, PATIENT).toHaveLength(1);
    expect(log.join()).not.toMatch(/ada|012345/);
  });

  it('is given up after a permanent failure', async () => {
    const office = await postOffice();
    const { notifier: made, clock, log } = await notifier({ smtp: office.url });
    office.refusals.push(550);
    made.send(ada, code);
    await expect
      .poll(() => log, PATIENT)
      .toEqual([`email notice not delivered by ${new URL(office.url).host} (SMTP 550), given up`]);
    clock.pass(3_600_000);
    made.send({ ...ada, address: 'grace@example.com' }, code);
    await expect
      .poll(() => office.mails.map(({ to }) => to), PATIENT)
      .toEqual(['grace@example.com']);
  });

  it('is given up after four tries', async () => {
    const { notifier: made, clock, log } = await notifier({ smtp: 'smtp://127.0.0.1:1' });
    made.send(ada, code);
    for (const [tries, wait] of [
      [1, 2_000],
      [2, 15_000],
      [3, 60_000],
    ] as const) {
      await expect.poll(() => log, PATIENT).toHaveLength(tries);
      clock.pass(wait);
    }
    await expect.poll(() => log, PATIENT).toHaveLength(4);
    expect(log.at(-1)).toMatch(/^email notice not delivered by 127\.0\.0\.1:1 \(E\w+\), given up$/);
  });
});

describe('a text message', () => {
  it('is sent by a webhook', async () => {
    const service = await smsService();
    const { notifier: made } = await notifier({ sms: service.url });
    made.send(phone, code);
    await expect.poll(() => service.messages, PATIENT).toHaveLength(1);
    const [message] = service.messages;
    expect(message?.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-type': 'application/json',
    });
    expect(message?.body).toEqual({
      to: '+85261234567',
      text: expect.stringMatching(/^012345 is your verification code\./),
    });
  });

  it.each([
    [503, 'HTTP 503), next try in 2 s', 2],
    [429, 'HTTP 429), next try in 2 s', 2],
    [302, 'next try in 2 s', 2],
    [400, 'HTTP 400), given up', 1],
  ])('is %i with the service', async (status, text, messages) => {
    const service = await smsService();
    const { notifier: made, clock, log } = await notifier({ sms: service.url });
    service.answers.push(status);
    made.send(phone, code);
    await expect.poll(() => log, PATIENT).toHaveLength(1);
    expect(log[0]).toContain(text);
    expect(log[0]).not.toMatch(/85261234567|012345/);
    clock.pass(2_000);
    await expect.poll(() => service.messages, PATIENT).toHaveLength(messages);
  });
});

it('that waits for a retry does not delay a stop', async () => {
  const { notifier: made, log } = await notifier({});
  made.send(ada, code);
  await expect.poll(() => log, PATIENT).toHaveLength(1);
  await made.close();
});

inTurn(it)('a registration sends its codes by mail and text message, and prints none', async () => {
  const office = await postOffice();
  const service = await smsService();
  const database = await emptyDatabase();
  const server = await TestServer.open(database.db, {
    environment: {
      SMTP_URL: office.url,
      SMS_WEBHOOK_URL: service.url,
      SMS_WEBHOOK_TOKEN: 'secret',
    },
    args: ['--mail-from', 'Bank <bank@example.com>'],
  });
  closing.push(async () => {
    await server.close();
    await database.close();
  });
  expect(server.app.notes).toContain(`Mail is sent by ${new URL(office.url).host}.`);
  expect(server.app.notes.join()).not.toMatch(/printed|fulcrum:/);
  await server.sendCode('ada@example.com', 1);
  await expect.poll(() => office.mails, PATIENT).toHaveLength(1);
  expect(office.mails[0]?.from).toBe('bank@example.com');
  const sms_code = office.mails[0]?.subject.slice(0, 6) ?? '';
  expect((await server.register('ada@example.com', { sms_code })).code).toBe(1);
  await server.sendCode('85261234567', 1);
  await expect.poll(() => service.messages, PATIENT).toHaveLength(1);
  expect(server.printed).toEqual([]);
});
