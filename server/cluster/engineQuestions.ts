import { tokenHash } from '../account/tokenHash';
import { DatabaseUnavailable } from '../db/unavailable';
import type { Caller } from '../http/route';
import { type Bus, fromJson, SUBJECTS, toJson } from './bus';
import type { FoundSession, OfEpoch } from './engineBus';
import type { EngineWatch } from './engineNews';
import { shardOfToken } from './shards';

/** What a gateway asks the engines. One that does not answer is to a client as a database that is away. */
export class EngineQuestions {
  private readonly bus: Bus;
  private readonly engines: EngineWatch;

  constructor(bus: Bus, engines: EngineWatch) {
    this.bus = bus;
    this.engines = engines;
  }

  /** Throws DatabaseUnavailable where nobody answers. */
  async ask<T>(subject: string, question: unknown): Promise<T> {
    try {
      return fromJson<T>(await this.bus.ask(subject, toJson(question)));
    } catch (cause) {
      throw new DatabaseUnavailable({ cause });
    }
  }

  /** Throws where the engine does not answer, or is one that was paused and does not know yet that another is at work. */
  async askEngine<T>(
    shard: number,
    subject: (shard: number) => string,
    question: unknown,
  ): Promise<T> {
    const { epoch, value } = await this.ask<OfEpoch<T>>(subject(shard), question);
    if (epoch < this.engines.epochOf(shard)) throw new DatabaseUnavailable();
    return value;
  }

  /** The user of a token; undefined where its engine does not know it. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const hash = tokenHash(token);
    if (hash === undefined) return undefined;
    const shard = shardOfToken(token);
    const found = await this.askEngine<FoundSession>(shard, SUBJECTS.session, hash);
    return found ? { ...found, shard } : undefined;
  }
}
