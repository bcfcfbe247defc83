import { inArray } from 'drizzle-orm';
import { storedForms } from '../account/addresses';
import { ownInviter } from '../account/invitations';
import type { AccountName, OtherEngines } from '../account/otherEngines';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import { DatabaseUnavailable } from '../db/unavailable';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import { type Shard, shardOfName } from './shards';

/** An engine has answered that it does not have a name. */
class NotHere extends Error {}

interface CaptchaQuestion {
  id: string;
  text: string;
}

export interface AskedEnginesOptions {
  bus: Bus;
  db: Db;
  shard: Shard;
  /** The engines that new accounts go to. The first engine knows them. */
  open: readonly number[];
  /** Whether this is the text of a captcha of this engine. */
  solve(id: string, text: string): boolean;
}

/** Engines ask each other over the bus. Each answers for its own users, and the first one for what all share. */
export class AskedEngines implements OtherEngines {
  private readonly options: AskedEnginesOptions;
  private readonly others: readonly number[];

  constructor(options: AskedEnginesOptions) {
    const { index, count } = options.shard;
    this.options = options;
    this.others = Array.from({ length: count }, (_, at) => at + 1).filter((at) => at !== index);
  }

  /** Before gateways are told of this engine. */
  start(): void {
    const { bus, db, shard, solve } = this.options;
    bus.answer(SUBJECTS.has(shard.index), async (data) => toJson(await this.has(fromJson(data))));
    bus.answer(SUBJECTS.inviter(shard.index), async (data) =>
      toJson((await ownInviter(db, fromJson(data))) ?? null),
    );
    if (shard.index !== 1) return;
    bus.answer(SUBJECTS.place, async (data) => toJson(await this.placeOf(fromJson(data))));
    bus.answer(SUBJECTS.captcha, (data) => {
      const { id, text } = fromJson<CaptchaQuestion>(data);
      return toJson(solve(id, text));
    });
  }

  async isPlaceOf(name: AccountName): Promise<boolean> {
    return (await this.placeOf(name)) === this.options.shard.index;
  }

  async inviterOf(code: string): Promise<number | undefined> {
    const found = await Promise.all(
      this.others.map((at) => this.ask<number | null>(SUBJECTS.inviter(at), code)),
    );
    return found.find((id) => id !== null) ?? undefined;
  }

  async solveCaptcha(id: string, text: string): Promise<boolean> {
    const question: CaptchaQuestion = { id, text };
    return this.options.shard.index === 1 ? false : this.ask(SUBJECTS.captcha, question);
  }

  /**
   * The engine that has the account of a name, or gets it. Throws DatabaseUnavailable where nobody has it who answers, and
   * one engine does not answer (D131).
   */
  private async placeOf(name: AccountName): Promise<number> {
    const { shard, open } = this.options;
    if (shard.index !== 1) return this.ask(SUBJECTS.place, name);
    if (await this.has(name)) return 1;
    const asked = this.others.map(async (at) => {
      if (await this.ask<boolean>(SUBJECTS.has(at), name)) return at;
      throw new NotHere();
    });
    try {
      return await Promise.any(asked);
    } catch (error) {
      const silence = (error as AggregateError).errors.find((each) => !(each instanceof NotHere));
      if (silence) throw silence;
      return shardOfName(`${name.kind} ${name.value}`, open);
    }
  }

  /** Whether a user of this engine has this name. */
  private async has({ kind, value }: AccountName): Promise<boolean> {
    const columns = { email: users.email, mobile: users.mobile, demo: users.demoId };
    // A number may be stored in a former form.
    const forms = kind === 'demo' ? [value] : storedForms({ type: kind, address: value });
    return (await this.options.db.$count(users, inArray(columns[kind], forms))) > 0;
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
