import { sql } from 'drizzle-orm';
import type { Database, Db, Tx } from '../db/database';
import { NotRepeated, Player } from './player';
import {
  BOOK_PARTS,
  type BookPart,
  type BookRow,
  type BookStart,
  bookPages,
  copyOf,
  openRecording,
  type Recording,
} from './recordedBooks';

/** What a replay has come to. */
export interface Replayed {
  commands: number;
  /** When the first and the last command were given. */
  from: Date | undefined;
  to: Date | undefined;
  /** How many rows of each part of the books were compared. */
  compared: ReadonlyMap<BookPart, number>;
  /** The first difference; undefined where the books are the same. */
  difference: string | undefined;
}

/** Whether there is anything to play. */
export async function isRecorded(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`select from commands where kind = 'base' limit 1`);
  return rows.length > 0;
}

/** Played by one transaction. */
const PLAYED_AT_ONCE = 200;

/**
 * Plays what a server has recorded, from the oldest base on, into an empty database, and compares the books digit by digit. The server may go on:
 * one moment is read. An embedded database is copied into memory for it. `stopping` ends it between two steps.
 */
export async function replay(
  { db, concurrent }: Pick<Database, 'db' | 'concurrent'>,
  empty: Db,
  stopping: AbortSignal,
): Promise<Replayed> {
  const snapshot = <T>(read: (recording: Recording) => Promise<T>) =>
    db.transaction(async (tx) => read(await openRecording(tx)), {
      ...{ isolationLevel: 'repeatable read', accessMode: 'read only' },
    });
  if (concurrent) return snapshot((recording) => playInto(empty, recording, stopping));
  return playInto(empty, await snapshot(copyOf), stopping);
}

async function playInto(empty: Db, recording: Recording, stopping: AbortSignal): Promise<Replayed> {
  const player = new Player(empty, recording.termsAfter);
  const compared = new Map<BookPart, number>();
  const replayed: Replayed = {
    ...{ commands: 0, from: undefined, to: undefined, compared, difference: undefined },
  };
  const { start } = recording;
  if (!start) return replayed;
  try {
    for await (const page of recording.commands()) {
      for (let from = 0; from < page.length; from += PLAYED_AT_ONCE) {
        stopping.throwIfAborted();
        await player.play(page.slice(from, from + PLAYED_AT_ONCE));
      }
      replayed.commands += page.length;
      replayed.from ??= page[0]?.at;
      replayed.to = page.at(-1)?.at;
    }
  } catch (error) {
    if (!(error instanceof NotRepeated)) throw error;
    return { ...replayed, difference: error.message };
  }
  const difference = await empty.transaction((tx) =>
    compare(tx, recording, start, compared, stopping),
  );
  return { ...replayed, difference };
}

async function compare(
  tx: Tx,
  recording: Recording,
  start: BookStart,
  compared: Map<BookPart, number>,
  stopping: AbortSignal,
): Promise<string | undefined> {
  await tx.execute(sql`set local time zone 'UTC'`);
  for (const part of BOOK_PARTS) {
    const found = new Rows(bookPages(tx, part, start));
    const expected = new Rows(recording.books(part, start));
    let count = 0;
    for (;;) {
      stopping.throwIfAborted();
      const [theirs, ours] = [await expected.next(), await found.next()];
      if (!theirs && !ours) break;
      if (theirs?.key !== ours?.key || theirs?.row !== ours?.row)
        return `${part} ${firstOf(theirs, ours)}`;
      count++;
    }
    compared.set(part, count);
  }
  return undefined;
}

/** Rows of pages one by one. */
class Rows {
  private readonly pages: AsyncGenerator<readonly BookRow[], void, undefined>;
  private page: readonly BookRow[] = [];
  private index = 0;

  constructor(pages: AsyncGenerator<readonly BookRow[], void, undefined>) {
    this.pages = pages;
  }

  async next(): Promise<BookRow | undefined> {
    while (this.index >= this.page.length) {
      const { value, done } = await this.pages.next();
      if (done) return undefined;
      this.page = value;
      this.index = 0;
    }
    return this.page[this.index++];
  }
}

/** Which row differs, and in what. */
function firstOf(theirs: BookRow | undefined, ours: BookRow | undefined): string {
  if (!ours || (theirs && Number(theirs.key) < Number(ours.key)))
    return `${theirs?.key}: the books have it, the replay has not`;
  if (!theirs || Number(ours.key) < Number(theirs.key))
    return `${ours.key}: the replay has it, the books have not`;
  const [right, wrong] = [fieldsOf(theirs.row), fieldsOf(ours.row)];
  const name = [...right.keys()].find((each) => right.get(each) !== wrong.get(each));
  if (name === undefined) return `${theirs.key}: ${theirs.row} in the books, ${ours.row} played`;
  return `${theirs.key}, ${name}: ${right.get(name)} in the books, ${wrong.get(name)} played`;
}

/** The columns of a row as JSON; none where it is no object. */
function fieldsOf(row: string): Map<string, string> {
  if (!row.startsWith('{')) return new Map();
  const fields = JSON.parse(row) as Record<string, unknown>;
  return new Map(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));
}
