import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { nearest } from '../core/nearest';
import { type Config, OPTIONS, type Option } from './options';

export type { Config };

/** A command line or an environment that can't be used. The message says which part and why. */
export class BadUsage extends Error {}

/** What the process should do. */
export type Command =
  | { name: 'help' }
  | {
      name: 'serve' | 'audit' | 'record' | 'try-limits';
      config: Config;
      warnings: readonly string[];
    }
  | { name: 'backup' | 'restore'; config: Config; file: string; warnings: readonly string[] };

const options = Object.entries<Option>(OPTIONS);
const flagged = options.filter(([, { secret }]) => !secret);
const schema = v.object(Object.fromEntries(options.map(([name, each]) => [name, each.schema])));

/**
 * Reads the command line, then the environment: a flag overrides its variable, and that overrides the
 * default. Throws BadUsage, which names every value that can't be used.
 */
export function readCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const { values: flags, positionals } = parse(args);
  if (flags['help']) return { name: 'help' };
  const command = readName(positionals);
  const given = new Map(
    options.map(([key, each]) => [key, sourceOf(key, each, flags, environment)]),
  );
  const texts = Object.fromEntries([...given].map(([key, { text }]) => [key, text]));
  const { success, output, issues } = v.safeParse(schema, texts);
  if (!success) throw new BadUsage(messagesOf(issues, given).join('\n'));
  // The schema consists of the same schemas as `Config`.
  const config = check(output as Config, flags, command.name === 'try-limits');
  if ('file' in command && config.databaseUrl) {
    throw new BadUsage(
      `${command.name} is for the embedded database; PostgreSQL has pg_dump and pg_restore`,
    );
  }
  if (command.name === 'record' && (config.live.length === 0 || !config.to)) {
    throw new BadUsage('record needs --live EXCHANGE and --to FILE');
  }
  return {
    ...command,
    config,
    warnings: [...unreadVariables(environment), ...shortSecret(config)],
  };
}

/** 16 hexadecimal characters are 64 bits. */
const SECRET_LENGTH = 16;

/** A warning, no refusal: an existing database keeps its secret, because second factors are encrypted with it (D81). */
function shortSecret({ secret }: Config): string[] {
  if (secret === '' || secret.length >= SECRET_LENGTH) return [];
  return [
    'WARNING: FULCRUM_SECRET is short enough to be guessed. Make a long one for a new database: openssl rand -base64 32',
  ];
}

/** Warnings of variables that are no settings. Other programs may have some, so they are not refused. */
function unreadVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = options.map(([key, { variable = variableName(key) }]) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => {
      const [like] = nearest(name, known, (each) => [each]);
      return `WARNING: ${name} is no setting of the server. The nearest one is ${like}.`;
    });
}

function readName(positionals: readonly string[]) {
  const [name = 'serve', file, ...more] = positionals;
  const known = (['serve', 'audit', 'record', 'try-limits'] as const).find((each) => each === name);
  if (known && file === undefined) return { name: known } as const;
  if ((name === 'backup' || name === 'restore') && more.length === 0) {
    if (!file) throw new BadUsage(`${name} needs the name of a FILE`);
    return { name, file } as const;
  }
  throw new BadUsage(`there is no command "${positionals.join(' ')}"`);
}

interface Source {
  text: string;
  /** The flag or the environment variable, with its placeholder. */
  name: string;
  /** Messages don't quote it. */
  secret: boolean;
}

function sourceOf(
  key: string,
  { placeholder, standard, variable = variableName(key), secret = false }: Option,
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Source {
  const flag = secret ? undefined : flags[flagName(key)];
  const [text, name] =
    flag === undefined
      ? [environment[variable] || standard, variable]
      : [String(flag), `--${flagName(key)}`];
  return { text, name: `${name} ${placeholder}`.trimEnd(), secret };
}

/** One message for each value that can't be used, in the order of the options. */
function messagesOf(
  issues: readonly v.BaseIssue<unknown>[],
  given: ReadonlyMap<string, Source>,
): string[] {
  return [...given].flatMap(([key, { name, text, secret }]) => {
    const issue = issues.find(({ path }) => path?.[0]?.key === key);
    if (!issue) return [];
    const shown = secret ? '' : `, not "${text}"`;
    return [`${name}: ${issue.message}${shown}`];
  });
}

function check(config: Config, flags: Readonly<Record<string, unknown>>, isTrial: boolean): Config {
  if (!config.replay && (flags['speed'] !== undefined || config.replayWait)) {
    throw new BadUsage('--speed and --replay-wait need --replay FILE');
  }
  const live = config.live.length > 0;
  if (live && config.replay) throw new BadUsage('--live and --replay exclude each other');
  const ofLive = ['codes', 'live-ws', 'live-rest', 'quote-age'].find(
    (name) => flags[name] !== undefined,
  );
  const ofPrices = ['jump', 'floor', 'spread', 'silence', 'checks']
    .map((name) => `price-${name}`)
    .find((name) => flags[name] !== undefined);
  if (ofPrices && !isTrial && !live && !config.replay) {
    throw new BadUsage(`--${ofPrices} needs --replay FILE or --live EXCHANGE`);
  }
  if (ofLive && !live) throw new BadUsage(`--${ofLive} needs --live EXCHANGE`);
  // Its bid and ask change between two trades, which nothing would be judged by.
  if (config.fillAtQuote === 2 && live)
    throw new BadUsage('--fill-at-quote 2 and --live exclude each other');
  const inCluster = config.role !== 'all';
  if (inCluster !== (config.bus !== '')) {
    throw new BadUsage(
      '--role feed, engine and gateway need --bus nats://…, and --bus one of them',
    );
  }
  if (config.shard && config.role !== 'engine') throw new BadUsage('--shard needs --role engine');
  const { index = 1, count = 1 } = config.shard ?? {};
  if (config.newAccounts.some((each) => each > count)) {
    throw new BadUsage(`--new-accounts: there are engines 1 to ${count} only`);
  }
  if (config.newAccounts.length > 0 && index !== 1) {
    throw new BadUsage('--new-accounts is for engine 1, which the others ask');
  }
  if (inCluster && config.replay) throw new BadUsage('a replay stays in one process: --role all');
  if (config.standby && !config.databaseUrl) {
    throw new BadUsage('--standby needs --database-url: only PostgreSQL can be waited for');
  }
  if (config.status !== 0 && !config.lossUrl) throw new BadUsage('--status needs --loss-url URL');
  return config;
}

function parse(args: readonly string[]): {
  values: Readonly<Record<string, unknown>>;
  positionals: readonly string[];
} {
  const known = flagged.map(([name, { placeholder }]) => [
    flagName(name),
    { type: placeholder ? ('string' as const) : ('boolean' as const) },
  ]);
  try {
    return parseArgs({
      args: args.map((arg, index) => withValue(arg, args[index + 1])),
      options: { ...Object.fromEntries(known), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
}

/** Completes a flag that may stand alone: `parseArgs` has no optional values. */
function withValue(arg: string, next: string | undefined): string {
  const alone = flagged.find(([name]) => arg === `--${flagName(name)}`)?.[1].alone;
  return alone !== undefined && (next === undefined || next.startsWith('-'))
    ? `${arg}=${alone}`
    : arg;
}

/** What `--help` prints. */
export function usage(): string {
  const lines = flagged.map(([name, { placeholder, standard, help, variable }]) => {
    const flag = `--${flagName(name)} ${placeholder}`.trimEnd().padEnd(28);
    const shown = placeholder && standard ? ` (${standard})` : '';
    return `  ${flag}${help}${shown}${variable ? `; ${variable}` : ''}`;
  });
  const secrets = options.filter(([, { secret }]) => secret);
  return [
    'Fulcrum: a sandbox of leveraged trading, app and server on one port.',
    '',
    'npm start -- [options]         serve',
    'npm start -- audit [options]   check the ledger, while no server runs',
    'npm start -- backup FILE       write the embedded database to a new file, while no server runs',
    'npm start -- restore FILE      replace it by a backup, while no server runs',
    'npm start -- record --live EXCHANGE --codes LIST --to FILE   record live prices for --replay',
    'npm start -- try-limits [--replay FILE]   what the limits --price-… do to recorded or simulated prices, and to planted wrong ones',
    '',
    ...lines,
    `  ${'--help'.padEnd(28)}show this help`,
    '',
    'Secrets come only from the environment:',
    '',
    ...secrets.map(([, { variable = '', help }]) => `  ${variable.padEnd(28)}${help}`),
    '',
    'Each option is also an environment variable, such as FULCRUM_PORT or FULCRUM_TICKS_PER_SECOND.',
  ].join('\n');
}

/** The flag of an option, without its dashes. */
export const flagName = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const PREFIX = 'FULCRUM_';
/** The environment variable of an option that names no other one. */
export const variableName = (name: string) =>
  `${PREFIX}${flagName(name).replaceAll('-', '_').toUpperCase()}`;
