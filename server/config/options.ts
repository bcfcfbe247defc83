import type * as v from 'valibot';
import { EXCHANGES } from '../market/live/codecs/codecs';
import * as values from './values';

/** Reads the text of a flag or a variable. */
type TextSchema = v.GenericSchema<string, unknown>;

/** One setting of the server. */
export interface Option<Schema extends TextSchema = TextSchema> {
  /** Placeholder of the value in `--help`; empty for a switch. */
  placeholder: string;
  schema: Schema;
  /** Text of the default value. */
  standard: string;
  help: string;
  /** Value of the flag where it is given without one. */
  alone?: string;
  /** The environment variable, where it is not FULCRUM_ and the name. */
  variable: string | undefined;
  /** Set by the environment alone, because every user of the machine sees command lines. Never printed. */
  secret?: boolean;
}

/** Every setting, in the order of `--help`. */
export const OPTIONS = {
  port: option('N', values.wholeNumber(0, 65_535), '3000', 'port to listen on; 0 takes a free one'),
  host: {
    ...option(
      '[HOST]',
      values.listenAddress,
      '127.0.0.1',
      'address to listen on; without a value: all of them, for phones on the same network',
    ),
    alone: '::',
  },
  data: option('DIR', values.text, './data', 'data directory: embedded database, uploads, secret'),
  databaseUrl: option(
    'URL',
    values.postgresUrl,
    '',
    'PostgreSQL instead of the embedded database',
    'DATABASE_URL',
  ),

  role: option(
    'ROLE',
    values.role,
    'all',
    'all: one process; feed: the market; engine: accounts and orders; gateway: websockets, and the way to the engines',
  ),
  bus: option(
    'URL',
    values.natsUrl,
    '',
    'NATS between them: nats://user:password@host:4222 or tls://; several by commas',
  ),
  shard: option(
    'I/N',
    values.shard,
    '',
    'of an engine: the I-th of N that divide the accounts, at the prices of a feed; empty: all accounts, and the market too',
  ),
  newAccounts: option(
    'LIST',
    values.shards,
    '',
    'of engine 1: numbers of the engines that new accounts go to, by commas; empty: all',
  ),
  advertise: option(
    'URL',
    values.httpUrl,
    '',
    'of an engine: where gateways reach it; empty: host and port on which it listens',
  ),
  standby: flag('wait while another server has the PostgreSQL database, then take over'),

  instruments: option(
    'N',
    values.wholeNumber(1, 50_000),
    '40',
    'instruments of the simulated market',
  ),
  ticksPerSecond: option('R', values.decimalNumber(0.01, 100_000), '20', 'over all instruments'),
  seed: option(
    'S',
    values.text,
    '',
    'makes the market, and tells who knows it all future prices; empty: one at random, kept in the database',
  ),
  replay: option(
    'FILE',
    values.text,
    '',
    'trade recorded quotes instead: CSV or CSV.gz, time,code,bid,ask; sample: a recorded day, repeated',
  ),
  speed: option('X', values.speed, '1', 'of the replay: so many times as fast, or max'),
  replayWait: flag('hold the replay until a client subscribes'),
  live: option(
    'LIST',
    values.words(...EXCHANGES),
    '',
    `trade at the prices of a live exchange: ${EXCHANGES.join(', ')}; more by commas, the first is preferred`,
  ),
  codes: option(
    'LIST',
    values.codes,
    '',
    'of the live market, such as BTC/USD,ETH/USD; empty: those of earlier runs and, up to 100, those with the most turnover',
  ),
  liveWs: option(
    'URL',
    values.websocketUrl,
    '',
    "replaces the address of the exchange's websocket; its paths stay",
  ),
  liveRest: option(
    'URL',
    values.httpUrl,
    '',
    "replaces the address of the exchange's REST interface",
  ),
  quoteAge: option(
    'S',
    values.wholeNumber(1, 86_400),
    '60',
    'seconds after which a live price is too old to fill orders',
  ),
  priceJump: option(
    'N',
    values.decimalNumber(0, 1_000),
    '10',
    'of a replay or a live market: a price that jumps more than so many times the usual range of a minute halts its instrument until it is confirmed; 0: none does',
  ),
  priceFloor: option(
    'P',
    values.decimalNumber(0.001, 100),
    '0.5',
    'percent of the price that a jump or a spread may have, however small the usual ones are',
  ),
  priceSpread: option(
    'N',
    values.decimalNumber(1, 1_000),
    '10',
    'times the usual spread; a wider one has to be confirmed',
  ),
  priceSilence: option(
    'N',
    values.decimalNumber(1, 10_000),
    '30',
    'times the usual time between two prices, at least a minute; afterwards a price may jump half as far, and a replayed one is too old to fill orders',
  ),
  priceChecks: option(
    'N',
    values.wholeNumber(1, 100),
    '3',
    'further prices that confirm one, over at least a second',
  ),
  fillAtQuote: option(
    '0|1|2',
    values.quoteFill,
    '',
    '1: market orders fill at bid or ask; 2, not with --live: orders open, close and are judged at them; otherwise 2, with --live 0',
  ),

  to: option('FILE', values.text, '', 'record: the file of ticks; .gz: compressed'),
  for: option(
    'S',
    values.wholeNumber(0, 999_999_999),
    '0',
    'record: ends after these seconds; 0: when stopped',
  ),
  raw: option(
    'FILE',
    values.text,
    '',
    'record: every message of the exchange as it came, one JSON a line',
  ),

  origins: option(
    'LIST',
    values.origins,
    '',
    'origins of the page besides the server itself, by commas',
  ),
  publicUrl: option(
    'URL',
    values.origin,
    '',
    'where browsers reach the server, as https://example.com, for passkeys and links of npm run admin; empty: localhost',
  ),
  title: option('TEXT', values.title, 'Fulcrum', 'of the page; DEMO: the page asks its own origin'),
  variant: option(
    'LIST',
    values.words('main-site', 'desktop-host'),
    '',
    'of the page: main-site, desktop-host, or both by commas',
  ),
  fallbackHost: option(
    'HOST',
    values.host,
    '',
    "host of the API for pages without an api sibling; empty: the page's own",
  ),
  trustProxy: option(
    'LIST',
    values.proxies,
    '',
    'proxies whose X-Forwarded-For, -Host and -Proto are trusted, such as loopback,10.0.0.0/8',
  ),
  requestsPerMinute: option(
    'N',
    values.wholeNumber(0, 1_000_000),
    '3000',
    'from one network (IPv4 address or IPv6 /64); 0: no limit',
  ),

  log: option(
    'FORM',
    values.word('text', 'json'),
    'text',
    'of the log: text, or json lines for programs',
  ),
  metricsPort: option('N', values.port, '', 'serve /metrics on a port of its own; empty: not'),
  metricsHost: option(
    'HOST',
    values.listenAddress,
    '127.0.0.1',
    'address of that port; whoever reaches it may read it',
  ),
  otlp: option(
    'URL',
    values.httpUrl,
    '',
    'send traces to this collector, by OTLP over HTTP',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ),
  auditEvery: option(
    'H',
    values.wholeNumber(0, 500),
    '0',
    'hours between two audits of the ledger while the server runs; 0: none',
  ),

  commandDays: option(
    'N',
    values.wholeNumber(0, 3650),
    '7',
    'days that commands of accounts are kept for npm run admin -- replay; 0: they are not recorded',
  ),

  serviceLink: option('URL', values.httpsUrl, '', 'customer service chat'),
  serviceLinkType: option(
    'T',
    values.oneOf(0, 1, 2),
    '1',
    'of the chat: 1 inside the app, 2 in a new window, 0 none',
  ),
  verifyRegType: option(
    'T',
    values.wholeNumber(0, 9),
    '1',
    'of registration: 2 picture captcha, otherwise a sent code',
  ),
  tradeFeeType: option(
    'T',
    values.wholeNumber(0, 9),
    '1',
    '1: fees in USD a lot, otherwise a share of the margin',
  ),
  exposureLimit: option(
    'LIST',
    values.limits,
    '',
    'USD that customers may hold net of an instrument, such as EURUSD=2000000,*=500000; of several engines each takes its part; empty: no limit',
  ),
  swap: flag('charge positions for their nights, at 00:00 UTC'),
  showMobile: option(
    '0|1',
    values.oneOf(0, 1),
    '1',
    'offer registration and login by mobile number',
  ),
  complaintEmail: option('ADDRESS', values.email, 'complaints@example.com', 'where complaints go'),
  complaintUrl: option(
    'URL',
    values.httpsUrl,
    '',
    'a third party that the page asks instead, where there is no address',
  ),
  mailFrom: option(
    'ADDRESS',
    values.text,
    'Fulcrum <no-reply@localhost>',
    'sender of mail, as SMTP_URL sends it',
  ),
  pushAnywhere: flag('web push to plain http and private addresses too: only for tests'),
  noDrawVerify: flag('no sent code for withdrawals and new payout addresses'),
  payoutWait: option(
    'H',
    values.wholeNumber(0, 720),
    '0',
    'hours that a new payout address waits before money is sent to it',
  ),
  noAutoReview: flag('leave reviews to npm run admin; otherwise all is approved after 30 s'),
  noTraders: flag('no strategy accounts, which trade by rule on the simulated market'),
  requireLatest: flag('pages of other versions load this one as soon as that interrupts nothing'),
  vitalsShare: option(
    'S',
    values.decimalNumber(0, 1),
    '0',
    'share of the visits whose pages report how fast they were, with --metrics-port; 0: none',
  ),
  errorsShare: option(
    'S',
    values.decimalNumber(0, 1),
    '1',
    'share of the errors of pages and workers that are reported; 0: none',
  ),
  status: option(
    'N',
    values.wholeNumber(0, 9),
    '0',
    'of the app: not 0 sends everybody to the loss URL',
  ),
  statusType: option('T', values.wholeNumber(0, 9), '0', 'passed on with the status'),
  lossUrl: option('URL', values.httpsUrl, '', 'where everybody is sent'),

  smtpUrl: secret(
    values.smtpUrl,
    'smtps://user:password@host, for mail; empty: mail is printed on the console',
    'SMTP_URL',
  ),
  smsWebhookUrl: secret(
    values.httpUrl,
    'for text messages; empty: they are printed on the console',
    'SMS_WEBHOOK_URL',
  ),
  smsWebhookToken: secret(values.text, 'its bearer token', 'SMS_WEBHOOK_TOKEN'),
  secret: secret(
    values.text,
    "of the server's keys; empty: one is made in the data directory",
    'FULCRUM_SECRET',
  ),
} satisfies Record<string, Option>;

type Options = typeof OPTIONS;

/** The settings as the server uses them. */
export type Config = { [Name in keyof Options]: v.InferOutput<Options[Name]['schema']> };

function option<Schema extends TextSchema>(
  placeholder: string,
  schema: Schema,
  standard: string,
  help: string,
  variable?: string,
): Option<Schema> {
  return { placeholder, schema, standard, help, variable };
}

function secret<Schema extends TextSchema>(
  schema: Schema,
  help: string,
  variable: string,
): Option<Schema> {
  return { placeholder: '', schema, standard: '', help, variable, secret: true };
}

function flag(help: string): Option<typeof values.flag> {
  return { placeholder: '', schema: values.flag, standard: 'false', help, variable: undefined };
}
