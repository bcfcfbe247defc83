import { createHmac } from 'node:crypto';
import { and, eq, inArray, isNull, ne } from 'drizzle-orm';
import { storedForms } from '../account/addresses';
import type { AccountName, Directory } from '../account/directory';
import type { Db } from '../db/database';
import { directory, users } from '../db/schema';
import { DatabaseUnavailable } from '../db/unavailable';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { type Shard, shardOfName } from './shards';

/** Which engine wants to have the account of a name. */
export interface ClaimQuestion {
  name: AccountName;
  shard: number;
}

/** The names of an account, and the engine that has it now. */
interface Relocation {
  names: readonly AccountName[];
  shard: number;
}

interface CaptchaQuestion {
  id: string;
  text: string;
}

/** Where accounts live: of the first engine, which all others and the gateways ask. */
export class Places {
  private readonly db: Db;
  private readonly key: Buffer;
  private readonly open: readonly number[];

  /** `open`: the engines that new accounts go to. */
  constructor(db: Db, key: Buffer, open: readonly number[]) {
    this.db = db;
    this.key = key;
    this.open = open;
  }

  /** The engine that has the account of this name, or would get it. */
  async of(name: AccountName): Promise<number> {
    const known = await this.known(name);
    if (known !== undefined) return known;
    return (await this.isHere(name)) ? 1 : shardOfName(this.hash(name), this.open);
  }

  /** Gives a name to an engine; returns whether it has it now. */
  async claim({ name, shard }: ClaimQuestion): Promise<boolean> {
    // Accounts of before the first division are in no directory.
    if (shard !== 1 && (await this.isHere(name))) return false;
    if ((await this.known(name)) === undefined) {
      const row = { name: this.hash(name), shard };
      await this.db.insert(directory).values(row).onConflictDoNothing();
    }
    return (await this.known(name)) === shard;
  }

  /** An account has moved to this engine. */
  async relocate({ names, shard }: Relocation): Promise<void> {
    const rows = names.map((name) => ({ name: this.hash(name), shard }));
    if (rows.length === 0) return;
    await this.db
      .insert(directory)
      .values(rows)
      .onConflictDoUpdate({ target: directory.name, set: { shard } });
  }

  /** The engine that the directory has for a name. */
  private async known(name: AccountName): Promise<number | undefined> {
    const hashes = formsOf(name).map((value) => this.hash({ kind: name.kind, value }));
    const found = await this.db.select().from(directory).where(inArray(directory.name, hashes));
    return found.sort((a, b) => hashes.indexOf(a.name) - hashes.indexOf(b.name))[0]?.shard;
  }

  private async isHere(name: AccountName): Promise<boolean> {
    const columns = { email: users.email, mobile: users.mobile, demo: users.demoId };
    return (await this.db.$count(users, inArray(columns[name.kind], formsOf(name)))) > 0;
  }

  private hash({ kind, value }: AccountName): string {
    return createHmac('sha256', this.key).update(`${kind} ${value}`).digest('base64url');
  }
}

/** The values that an account of this name may be stored with. */
function formsOf({ kind, value }: AccountName): string[] {
  return kind === 'demo' ? [value] : storedForms({ type: kind, address: value });
}

export interface DirectoryOptions {
  bus: Bus;
  db: Db;
  shard: Shard;
  /** Of the first engine. */
  places: Places | undefined;
  /** Whether this is the text of a captcha of this engine. */
  solve(id: string, text: string): boolean;
}

/** The directory as an engine asks it; each engine answers for its own users. */
export class ClusterDirectory implements Directory {
  private readonly options: DirectoryOptions;

  constructor(options: DirectoryOptions) {
    this.options = options;
  }

  /** Before gateways are told of this engine. */
  start(): void {
    const { bus, db, shard, places, solve } = this.options;
    bus.answer(SUBJECTS.inviter(shard.index), async (data) => {
      const code = fromJson<string>(data);
      const own = and(eq(users.inviteCode, code), ne(users.inviteCode, ''), isNull(users.closedAt));
      const [inviter] = await db.select({ id: users.id }).from(users).where(own);
      return toJson(inviter?.id ?? null);
    });
    if (!places) return;
    bus.answer(SUBJECTS.place, async (data) => toJson(await places.of(fromJson(data))));
    bus.answer(SUBJECTS.claim, async (data) => toJson(await places.claim(fromJson(data))));
    bus.answer(SUBJECTS.relocate, async (data) => {
      await places.relocate(fromJson(data));
      return toJson(null);
    });
    bus.answer(SUBJECTS.captcha, (data) => {
      const { id, text } = fromJson<CaptchaQuestion>(data);
      return toJson(solve(id, text));
    });
  }

  claim(name: AccountName): Promise<boolean> {
    const { places, shard } = this.options;
    const question: ClaimQuestion = { name, shard: shard.index };
    return places ? places.claim(question) : this.ask(SUBJECTS.claim, question);
  }

  /** Whoever looks for one of these names finds this engine from now on. Throws DatabaseUnavailable. */
  relocate(names: readonly AccountName[], shard: number): Promise<void> {
    const { places } = this.options;
    const relocation: Relocation = { names, shard };
    return places ? places.relocate(relocation) : this.ask(SUBJECTS.relocate, relocation);
  }

  async inviterOf(code: string): Promise<number | undefined> {
    const { index, count } = this.options.shard;
    const others = Array.from({ length: count }, (_, at) => at + 1).filter((at) => at !== index);
    const found = await Promise.all(
      others.map((at) => this.ask<number | null>(SUBJECTS.inviter(at), code)),
    );
    return found.find((id) => id !== null) ?? undefined;
  }

  async solveCaptcha(id: string, text: string): Promise<boolean> {
    const question: CaptchaQuestion = { id, text };
    return this.options.places ? false : this.ask(SUBJECTS.captcha, question);
  }

  /** Throws DatabaseUnavailable where the other engine does not answer: the client tries again. */
  private async ask<T>(subject: string, question: unknown): Promise<T> {
    try {
      return fromJson(await this.options.bus.ask(subject, toJson(question)));
    } catch (cause) {
      throw new DatabaseUnavailable({ cause });
    }
  }
}
