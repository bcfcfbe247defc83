import { parseArgs } from 'node:util';
import { type Option, readers } from './options';

/**
 * Every setting of the server, in the order of `--help`. Flags win over the
 * environment (`--service-link` is `FULCRUM_SERVICE_LINK`), that over the default.
 */
const OPTIONS = {
  port: option('N', readers.whole(0, 65_535), '3000', 'port to listen on; 0 takes a free one'),
  host: option('HOST', readers.text, '', 'address to listen on; all of them unless told'),
  data: option('DIR', readers.text, './data', 'directory of the embedded database'),
  databaseUrl: option('URL', readers.postgres, '', 'PostgreSQL instead of it', 'DATABASE_URL'),

  instruments: option('N', readers.whole(1, 50_000), '40', 'instruments of the simulated market'),
  ticksPerSecond: option('R', readers.number(0.01, 100_000), '20', 'over all instruments'),
  seed: option('S', readers.text, '1', 'the same seed makes the same market'),
  replay: option(
    'FILE',
    readers.text,
    '',
    'trade recorded quotes instead: CSV or CSV.gz, time,code,bid,ask; sample: a recorded day, repeated',
  ),
  speed: option('X', readers.speed, '1', 'of the replay: so many times as fast, or max'),
  replayWait: flag('hold the replay until somebody subscribes'),

  origins: option(
    'LIST',
    readers.origins,
    '',
    'origins of the page besides the server itself, by commas',
  ),
  title: option(
    'TEXT',
    readers.title,
    'Fulcrum',
    'of the page; DEMO: the page asks its own origin',
  ),
  variant: option(
    'LIST',
    readers.words('main-site', 'desktop-host'),
    '',
    'of the page: main-site, desktop-host, or both by commas',
  ),
  fallbackHost: option(
    'HOST',
    readers.host,
    '',
    "host of the API for pages without an api sibling; empty: the page's own",
  ),
  trustProxy: option(
    'LIST',
    readers.proxies,
    '',
    'proxies whose X-Forwarded-For is believed, such as loopback,10.0.0.0/8',
  ),
  requestsPerMinute: option(
    'N',
    readers.whole(0, 1_000_000),
    '3000',
    'from one address; 0: no limit',
  ),

  serviceLink: option('URL', readers.https, '', 'customer service chat'),
  serviceLinkType: option(
    'T',
    readers.oneOf(0, 1, 2),
    '1',
    'of the chat: 1 inside the app, 2 in a new window, 0 none',
  ),
  verifyRegType: option(
    'T',
    readers.whole(0, 9),
    '1',
    'of registration: 2 picture captcha, otherwise a sent code',
  ),
  tradeFeeType: option(
    'T',
    readers.whole(0, 9),
    '1',
    '1: fees in USD a lot, otherwise a share of the margin',
  ),
  showMobile: option(
    '0|1',
    readers.oneOf(0, 1),
    '1',
    'offer registration and login by mobile number',
  ),
  complaintEmail: option('ADDRESS', readers.email, 'complaints@example.com', 'where complaints go'),
  complaintUrl: option(
    'URL',
    readers.https,
    '',
    'a third party that the page asks instead, where there is no address',
  ),
  mailFrom: option(
    'ADDRESS',
    readers.text,
    'Fulcrum <no-reply@localhost>',
    'sender of mail, as SMTP_URL sends it',
  ),
  noAutoReview: flag('leave reviews to npm run desk; otherwise all is approved after 30 s'),
  noTraders: flag('no trading accounts of the house on the simulated market'),
  status: option(
    'N',
    readers.whole(0, 9),
    '0',
    'of the app: not 0 sends everybody to the loss URL',
  ),
  statusType: option('T', readers.whole(0, 9), '0', 'passed on with the status'),
  lossUrl: option('URL', readers.https, '', 'where everybody is sent'),
} satisfies Record<string, Option<unknown>>;

type Options = typeof OPTIONS;
export type Config = { [K in keyof Options]: Options[K] extends Option<infer T> ? T : never };

/** A command line or an environment that can't be: the message says which part and why. */
export class BadUsage extends Error {}

/** What the process is to do. */
export type Command = { name: 'help' } | { name: 'serve' | 'audit'; config: Config };

/** Reads the command line, then the environment. Throws BadUsage. */
export function readCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const { values, positionals } = parse(args);
  if (values['help']) return { name: 'help' };
  const [name = 'serve', ...more] = positionals;
  if ((name !== 'serve' && name !== 'audit') || more.length > 0) {
    throw new BadUsage(`there is no command "${positionals.join(' ')}"`);
  }
  const config: Record<string, unknown> = {};
  for (const [key, { read, otherwise, env, value }] of Object.entries<Option<unknown>>(OPTIONS)) {
    const variable = env ?? environmentName(key);
    const flagged = values[flagName(key)];
    const [text, source] =
      flagged !== undefined
        ? [String(flagged), `--${flagName(key)}`]
        : [environment[variable] || otherwise, variable];
    try {
      config[key] = read(text);
    } catch (error) {
      throw new BadUsage(
        `${`${source} ${value}`.trimEnd()}: ${(error as Error).message}, not "${text}"`,
      );
    }
  }
  return { name, config: check(config as Config, values) };
}

function check(config: Config, given: Readonly<Record<string, unknown>>): Config {
  if (!config.replay && (given['speed'] !== undefined || config.replayWait)) {
    throw new BadUsage('--speed and --replay-wait need --replay FILE');
  }
  if (config.status !== 0 && !config.lossUrl) throw new BadUsage('--status needs --loss-url URL');
  return config;
}

function parse(args: readonly string[]): {
  values: Readonly<Record<string, unknown>>;
  positionals: readonly string[];
} {
  const options = Object.entries<Option<unknown>>(OPTIONS).map(([name, { value }]) => [
    flagName(name),
    { type: value ? ('string' as const) : ('boolean' as const) },
  ]);
  try {
    return parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}

/** What `--help` prints. */
export function usage(): string {
  const lines = Object.entries<Option<unknown>>(OPTIONS).map(
    ([name, { value, otherwise, help, env }]) => {
      const flagged = `--${flagName(name)} ${value}`.trimEnd().padEnd(28);
      const standard = value && otherwise ? ` (${otherwise})` : '';
      return `  ${flagged}${help}${standard}${env ? `; ${env}` : ''}`;
    },
  );
  return [
    'Fulcrum: a sandbox of leveraged trading, app and server on one port.',
    '',
    'npm start -- [options]         serve',
    'npm start -- audit [options]   check the books, while nobody serves',
    '',
    ...lines,
    `  ${'--help'.padEnd(28)}this`,
    '',
    'Secrets come from the environment alone: SMTP_URL (smtps://user:password@host), SMS_WEBHOOK_URL and',
    'SMS_WEBHOOK_TOKEN, FULCRUM_SECRET (otherwise one is made in the data directory). Without the first two,',
    'mail and text messages are printed on the console.',
    '',
    'Each option is also an environment variable, such as FULCRUM_PORT or FULCRUM_TICKS_PER_SECOND.',
  ].join('\n');
}

const flagName = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const environmentName = (name: string) =>
  `FULCRUM_${flagName(name).replaceAll('-', '_').toUpperCase()}`;

function option<T>(
  value: string,
  read: (text: string) => T,
  otherwise: string,
  help: string,
  env?: string,
): Option<T> {
  return { value, read, otherwise, help, env };
}

function flag(help: string): Option<boolean> {
  return { value: '', read: readers.flag, otherwise: 'false', help, env: undefined };
}
