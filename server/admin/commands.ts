import { and, desc, eq, inArray, like, type SQL } from 'drizzle-orm';
import { readId } from '#domain/api/params';
import { escapeControls } from '#domain/core/text';
import type { UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { findByName } from '../account/userSearch';
import type { UserRecord } from '../account/users';
import { cutText } from '../core/cutText';
import { getOrInsert } from '../core/getOrInsert';
import { nearest } from '../core/nearest';
import { translate } from '../core/translate';
import type { Db, Tx } from '../db/database';
import { adminActions, news, users } from '../db/schema';
import { Refusal } from '../http/refusal';
import { foldName, ofCode } from '../market/code';
import type { HaltableMarket } from '../market/halts/haltableMarket';
import type { ClosedReason } from '../market/market';
import { NotFetched } from '../news/pictureFetch';
import { plainText } from '../news/plainText';
import { type AdminActions, type Operator, Unconfirmed } from './actions';
import type { ReviewQueue } from './reviewQueue';
import type { Reviews } from './reviews';

/** A command of another subject; the help of scripts/admin.mjs names it. */
export interface AdminCommand {
  name: string;
  /** Returns what to print. Throws BadCommand or Unconfirmed. A long one asks `stopping.throwIfAborted` between its steps: the server's stop waits. */
  run(operator: Operator, args: readonly string[], stopping: AbortSignal): Promise<string>;
}

export interface AdminParts {
  db: Db;
  reviews: Reviews;
  actions: AdminActions;
  market: HaltableMarket;
  now(): UnixMs;
  /** Origin of the server, for the addresses of pictures. */
  origin(): string;
  /** As `NewsPictures.storeAll`. */
  storePictures(html: string): Promise<string>;
  /** The number of this engine. */
  shard: number;
  /** Commands of other subjects. */
  commands: readonly AdminCommand[];
}

/** A mistake of the operator; the message explains it. */
export class BadCommand extends Error {}

/** Of what the first engine has for all (architecture.md#engines): here it would be written and read by nobody. */
export function refuseElsewhere(shard: number, command: string): void {
  if (shard !== 1) throw new BadCommand(`${command} is engine 1's: use its --data.`);
}

/** The category of all news (protocol.md#news-calls). */
const NEWS_CATEGORY = 1;
const SUMMARY_LENGTH = 160;

/** Runs a command of `npm run admin` and returns what to print. Throws BadCommand or Unconfirmed. */
export async function runCommand(
  parts: AdminParts,
  operator: Operator,
  [command = '', ...args]: readonly string[],
  input: string,
  stopping: AbortSignal,
): Promise<string> {
  const more = parts.commands.find(({ name }) => name === command);
  if (more) return more.run(operator, args, stopping);
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (run) return run(parts, args, operator, input);
  throw new BadCommand(`There is no command ${command}. See npm run admin -- help`);
}

type Command = (
  parts: AdminParts,
  args: readonly string[],
  operator: Operator,
  input: string,
) => Promise<string>;

/** Actions that decide on a review. */
const DECISIONS = ['approve', 'reject', 'invalid'];
const MOST_LISTED = 100;

const COMMANDS: Readonly<Record<string, Command>> = {
  async list({ reviews }, [name]) {
    const kinds = name === undefined ? reviews.queues : [kindOf(reviews, name)];
    const lines: string[] = [];
    for (const reviewed of kinds) {
      for (const { id, since, title } of await reviewed.pending()) {
        const described = escapeControls(title);
        lines.push(`${reviewed.kind} ${id}  ${new Date(since).toISOString()}  ${described}`);
      }
    }
    return lines.join('\n') || 'Nothing waits.';
  },

  async show(parts, [name = '', id = '']) {
    return table((await findItem(parts, name, id)).fields);
  },

  async approve(parts, [name = '', id = ''], operator) {
    const item = await findItem(parts, name, id);
    const decision = parts.reviews.approve(operator, item.kind, idOf(id));
    return decided(`approve ${name} ${id}`, item, decision);
  },

  async reject(parts, [name = '', id = '', ...reason], operator) {
    const item = await findItem(parts, name, id);
    if (reason.length === 0) throw new BadCommand('A rejection needs a reason.');
    const decision = parts.reviews.reject(operator, item.kind, idOf(id), reason.join(' '));
    return decided(`reject ${name} ${id}`, item, decision);
  },

  async decided({ db, reviews }, [name]) {
    if (name !== undefined) kindOf(reviews, name);
    const ofKind = name === undefined ? undefined : like(adminActions.subject, `${name} %`);
    return listActions(db, and(inArray(adminActions.action, DECISIONS), ofKind));
  },

  async log({ db }, [name]) {
    if (name === undefined) return listActions(db, undefined);
    // The log outlives an account.
    const uid = (await findByName(db, name))?.uid ?? name;
    return listActions(db, eq(adminActions.uid, uid));
  },

  async market({ market, actions }, [action, ...words], operator) {
    if (action === undefined) return closures(market) || 'Nothing is closed.';
    if (action !== 'close' && action !== 'open') {
      throw new BadCommand(`market close or market open, not ${action}.`);
    }
    const instrument = instrumentNamed(market, words.join(' '));
    const closes = action === 'close';
    if (closes && !operator.confirmed) {
      throw new Unconfirmed(`This closes ${instrument.code} for everybody until it is opened.`);
    }
    const done = { action: `market ${action}`, subject: instrument.code };
    const record = (tx: Db, result = closes ? 'closed.' : 'opened.') =>
      actions.record(tx, operator, done, result);
    const changed = await (closes
      ? market.halt(instrument, record)
      : market.resume(instrument, record));
    const state = `${closes ? 'closed' : 'open'}${changed ? '' : ' already'}`;
    const waits = !closes && !market.quote(instrument.id)?.marketOpen;
    return `${instrument.code} is ${state}${waits ? ' within its hours' : ''}.`;
  },

  async news({ actions, now, storePictures, shard }, title, operator, html) {
    refuseElsewhere(shard, 'news');
    if (title.length === 0) throw new BadCommand('A news item needs a title.');
    if (html.trim() === '') throw new BadCommand('A news item needs its text, as in < FILE.');
    const content = await storePictures(html).catch((error: unknown) => {
      if (error instanceof NotFetched) throw new BadCommand(`A picture: ${error.message}.`);
      throw error;
    });
    return actions.run(operator, { action: 'news' }, async ({ tx }) => {
      const [posted] = await tx
        .insert(news)
        .values({
          categoryId: NEWS_CATEGORY,
          title: title.join(' '),
          desc: cutText(plainText(content), SUMMARY_LENGTH),
          content,
          createdAt: new Date(now()),
        })
        .returning({ id: news.id });
      return `news ${posted?.id}: posted.`;
    });
  },
};

/** Instruments that are closed within their hours, by reason: a lost exchange closes hundreds. */
function closures(market: HaltableMarket): string {
  const codes = new Map<string, string[]>();
  for (const [code, reason] of market.closures) {
    getOrInsert(codes, reasonText(reason), () => []).push(code);
  }
  return [...codes].map(([reason, all]) => `${all.join(', ')}: ${reason}`).join('\n');
}

function reasonText(reason: ClosedReason): string {
  if (typeof reason === 'string') return REASONS[reason];
  // To the second: connections end one after the other.
  const since = new Date(reason.since).toISOString().slice(0, 19);
  return `no prices from ${reason.feed} since ${since}Z`;
}

const REASONS: Record<Extract<ClosedReason, string>, string> = {
  halted: 'closed by the operator',
  doubt: 'the price is in doubt; the log has it',
  price: 'the price is 0 or less',
  clock: "the server's clock was set back",
};

/** How many instruments are named where one is unknown. */
const MOST_NAMED = 3;

/** The instrument of a code, as users or lists write it (EUR/USD is EURUSD), or of a name that users see. */
export function instrumentNamed(
  { instruments }: Pick<HaltableMarket, 'instruments'>,
  text: string,
): Instrument {
  const namesOf = ({ code, name }: Instrument) => [foldName(code), foldName(name)];
  const wanted = foldName(text);
  if (wanted === '') throw new BadCommand('Which instrument? Its code or name is missing.');
  const coded = ofCode(instruments, text);
  const [named, ...more] =
    coded.length > 0 ? coded : instruments.filter(({ name }) => foldName(name) === wanted);
  if (named && more.length === 0) return named;
  const like = nearest(wanted, instruments, namesOf).slice(0, MOST_NAMED);
  const listed = like.map(({ code, name }) => `${code} (${name})`).join(', ');
  const problem = named
    ? `There are several instruments ${text}.`
    : `There is no instrument ${text}.`;
  throw new BadCommand(`${problem} Nearest: ${listed}`);
}

/** Rows of the audit log, the newest first. */
async function listActions(db: Db, condition: SQL | undefined): Promise<string> {
  const rows = await db
    .select()
    .from(adminActions)
    .where(condition)
    .orderBy(desc(adminActions.at), desc(adminActions.id))
    .limit(MOST_LISTED);
  return (
    rows
      .map(({ at, operator, action, subject, uid, reason, result }) => {
        const words = [operator || '?', action, subject, uid && `user ${uid}`, result, reason];
        return [at.toISOString(), ...words.filter(Boolean).map((word) => escapeControls(word))];
      })
      .map((words) => words.join('  '))
      .join('\n') || 'There is nothing yet.'
  );
}

function kindOf(reviews: Reviews, name: string): ReviewQueue {
  const kind = reviews.find(name);
  if (kind) return kind;
  const known = reviews.queues.map((each) => each.kind).join(', ');
  throw new BadCommand(name ? `There is no ${name} here, only: ${known}.` : `Of which? ${known}`);
}

/** The queue and the fields of the item to decide on. */
async function findItem({ reviews, origin }: AdminParts, name: string, id: string) {
  const kind = kindOf(reviews, name);
  const fields = await kind.show(idOf(id), origin());
  if (!fields) throw new BadCommand(`There is no ${name} ${id}.`);
  return { kind, fields };
}

/** The id of what a command is about; `missing` says that there is none. */
export function idOf(text: string, missing = 'Which one? list names what waits.'): number {
  if (!text) throw new BadCommand(missing);
  const id = readId(text);
  if (id === undefined) throw new BadCommand(`${text} is no number.`);
  return id;
}

/** Decides, and says so; what has to be confirmed is shown with all that is known of it. */
async function decided(
  command: string,
  { fields }: { fields: Record<string, string> },
  decision: Promise<string>,
): Promise<string> {
  const [, ...item] = command.split(' ');
  const plan = `${command}:\n${table(fields)}`;
  return `${item.join(' ')}: ${await refusalAsBadCommand(planned(plan, decision))}`;
}

/** Adds to what has to be confirmed what the command is about. */
export async function planned(plan: string, decision: Promise<string>): Promise<string> {
  try {
    return await decision;
  } catch (error) {
    if (error instanceof Unconfirmed) throw new Unconfirmed(`${plan}\n${error.message}`);
    throw error;
  }
}

/** Rows of names and values, which users may have written; what is empty is left out. */
export function table(fields: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields).filter((each) => fields[each] !== '');
  const width = Math.max(...names.map((each) => each.length));
  return names
    .map((each) => `${each.padEnd(width)}  ${escapeControls(fields[each] ?? '')}`)
    .join('\n');
}

/** The user whom an operator names by number, email address or mobile number. */
export async function userNamed(db: Db, name: string): Promise<UserRecord> {
  const user = await findByName(db, name);
  if (!user) throw new BadCommand(name ? `There is no user ${name}.` : 'Which user?');
  return user;
}

/** Their row as it is now, locked. Throws BadCommand of a closed account: the words of an operator are erased with it. */
export async function openUser(tx: Tx, { id, uid }: UserRecord): Promise<UserRecord> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  if (!user || user.closedAt) throw new BadCommand(`User ${uid} is closed.`);
  return user;
}

/** Turns a refusal into a BadCommand in English, and what has to wait. */
export async function refusalAsBadCommand<T>(decision: Promise<T>): Promise<T> {
  try {
    return await decision;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new BadCommand(translate('en', error.key, error.params));
  }
}
