import { escapeControls } from '#domain/core/text';
import type { UnixMs } from '#domain/core/time';
import { AccountLeaving } from '../account/departures';
import { translate } from '../core/translate';
import type { Db } from '../db/database';
import { news } from '../db/schema';
import { Refusal } from '../http/refusal';
import type { HaltableMarket } from '../market/halts/haltableMarket';
import { NotFetched } from '../news/pictureFetch';
import type { ReviewQueue } from './reviewQueue';
import type { Reviews } from './reviews';

/** A command of another subject; the help of scripts/desk.mjs names it. */
export interface DeskCommand {
  name: string;
  /** Returns what to print. Throws BadCommand. */
  run(args: readonly string[]): Promise<string>;
}

export interface DeskParts {
  db: Db;
  reviews: Reviews;
  market: HaltableMarket;
  now(): UnixMs;
  /** Origin of the server, for the addresses of pictures. */
  origin(): string;
  /** As `NewsPictures.keepAll`. */
  keepPictures(html: string): Promise<string>;
  /** Commands of other subjects. */
  commands: readonly DeskCommand[];
}

/** Without it, a command that can't be undone only says what it would do. */
export const CONFIRM = '--confirm';

/** A mistake of the operator; the message explains it. */
export class BadCommand extends Error {}

/** The category of all news (protocol.md#news-calls). */
const NEWS_CATEGORY = 1;
const SUMMARY_LENGTH = 160;

/** Runs a command of `npm run desk` and returns what to print. Throws BadCommand. */
export async function runCommand(
  parts: DeskParts,
  [command = '', ...args]: readonly string[],
  input: string,
): Promise<string> {
  const more = parts.commands.find(({ name }) => name === command);
  if (more) return more.run(args);
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (run) return run(parts, args, input);
  throw new BadCommand(`There is no command ${command}. See npm run desk -- help`);
}

type Command = (parts: DeskParts, args: readonly string[], input: string) => Promise<string>;

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
    const { fields } = await findItem(parts, name, id);
    const names = Object.keys(fields);
    const width = Math.max(...names.map((each) => each.length));
    return names
      .map((each) => `${each.padEnd(width)}  ${escapeControls(fields[each] ?? '')}`)
      .join('\n');
  },

  async approve(parts, [name = '', id = '']) {
    const { kind } = await findItem(parts, name, id);
    await refusalAsBadCommand(parts.reviews.approve(kind, idOf(id)));
    return `${name} ${id}: approved.`;
  },

  async reject(parts, [name = '', id = '', ...reason]) {
    const { kind } = await findItem(parts, name, id);
    if (reason.length === 0) throw new BadCommand('A rejection needs a reason.');
    await refusalAsBadCommand(parts.reviews.reject(kind, idOf(id), reason.join(' ')));
    return `${name} ${id}: rejected.`;
  },

  async market({ market }, [action, code = '']) {
    if (action === undefined) return market.haltedCodes.join('\n') || 'Nothing is closed.';
    if (action !== 'close' && action !== 'open') {
      throw new BadCommand(`market close or market open, not ${action}.`);
    }
    const instrument = market.instruments.find((each) => each.code === code.toUpperCase());
    if (!instrument) throw new BadCommand(`There is no instrument ${code}.`);
    const changed = await (action === 'close'
      ? market.halt(instrument)
      : market.resume(instrument));
    const state = action === 'close' ? 'closed' : 'not closed by the operator';
    return `${instrument.code} is ${state}${changed ? '' : ' already'}.`;
  },

  async news({ db, now, keepPictures }, title, html) {
    if (title.length === 0) throw new BadCommand('A news item needs a title.');
    if (html.trim() === '') throw new BadCommand('A news item needs its text, as in < FILE.');
    const content = await keepPictures(html).catch((error: unknown) => {
      if (error instanceof NotFetched) throw new BadCommand(`A picture: ${error.message}.`);
      throw error;
    });
    const text = content
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const cut = text.length > SUMMARY_LENGTH;
    const [posted] = await db
      .insert(news)
      .values({
        categoryId: NEWS_CATEGORY,
        title: title.join(' '),
        desc: cut ? `${text.slice(0, SUMMARY_LENGTH)}…` : text,
        content,
        createdAt: new Date(now()),
      })
      .returning({ id: news.id });
    return `news ${posted?.id}: posted.`;
  },
};

function kindOf(reviews: Reviews, name: string): ReviewQueue {
  const kind = reviews.find(name);
  if (kind) return kind;
  const known = reviews.queues.map((each) => each.kind).join(', ');
  throw new BadCommand(name ? `There is no ${name} here, only: ${known}.` : `Of which? ${known}`);
}

/** The queue and the fields of the item to decide on. */
async function findItem({ reviews, origin }: DeskParts, name: string, id: string) {
  const kind = kindOf(reviews, name);
  const fields = await kind.show(idOf(id), origin());
  if (!fields) throw new BadCommand(`There is no ${name} ${id}.`);
  return { kind, fields };
}

function idOf(text: string): number {
  if (!text) throw new BadCommand('Which one? list names what waits.');
  if (!/^\d{1,9}$/.test(text)) throw new BadCommand(`${text} is no number.`);
  return Number(text);
}

/** Turns a refusal into a BadCommand in English, and what has to wait. */
export async function refusalAsBadCommand(decision: Promise<void>): Promise<void> {
  try {
    await decision;
  } catch (error) {
    if (error instanceof AccountLeaving) throw new BadCommand(error.message);
    if (!(error instanceof Refusal)) throw error;
    throw new BadCommand(translate('en', error.key, error.params));
  }
}
