/**
 * What the processes of a cluster talk over. Messages may be lost, never reordered between one sender and one reader;
 * who must know of a loss counts.
 */
export interface Bus {
  publish(subject: string, data: Uint8Array): void;
  /** Returns a function that ends it. */
  listen(subject: string, handler: (data: Uint8Array) => void): () => void;
  /** Rejects where nobody answers in time. */
  ask(subject: string, data: Uint8Array): Promise<Uint8Array>;
  /** What the handler throws, the one who asks learns as a silence. It returns undefined where another process is to answer. */
  answer(subject: string, handler: (data: Uint8Array) => Promise<Answer> | Answer): void;
  /** Calls the listener when the connection broke and is there again. */
  onReconnected(listener: () => void): void;
  close(): Promise<void>;
}

export type Answer = Uint8Array | undefined;

/** The bus of a process that answers only while it is at work: another one, which may be, knows better. */
export function answeringWhile(bus: Bus, isAtWork: () => boolean): Bus {
  return {
    publish: (subject, data) => bus.publish(subject, data),
    listen: (subject, handler) => bus.listen(subject, handler),
    ask: (subject, data) => bus.ask(subject, data),
    answer: (subject, handler) =>
      bus.answer(subject, (data) => (isAtWork() ? handler(data) : undefined)),
    onReconnected: (listener) => bus.onReconnected(listener),
    close: () => bus.close(),
  };
}

/** Who publishes or answers what. */
export const SUBJECTS = {
  /** The feed: updates of the market (`MarketUpdate`). */
  market: 'fulcrum.market',
  /** The feed answers: a part of what never changes about the market (`MarketDescription`). */
  description: 'fulcrum.description',
  /** The feed answers: a page of the present (`SnapshotPage`). */
  snapshot: 'fulcrum.snapshot',
  bars: 'fulcrum.bars',
  /** The feed answers: the range of past prices. */
  range: 'fulcrum.range',
  /** The feed does: halts an instrument, or resumes it. */
  halt: 'fulcrum.halt',
  /** All engines: that they live, and whose sessions have ended (`EngineWord`). */
  engines: 'fulcrum.engines',
  /** An engine answers: whose session has this hash of a token. */
  session: (shard: number) => `fulcrum.session.${shard}`,
  /** An engine answers: the number of the last message to a user. */
  pushed: (shard: number) => `fulcrum.pushed.${shard}`,
  /** The first engine answers: which engine has the account of a name, or gets it. */
  place: 'fulcrum.place',
  /** An engine answers: whether one of its users has a name. */
  has: (shard: number) => `fulcrum.has.${shard}`,
  /** An engine answers: which of its users has this invitation code. */
  inviter: (shard: number) => `fulcrum.inviter.${shard}`,
  /** The first engine answers: whether this is the text of a captcha, once. */
  captcha: 'fulcrum.captcha',
  /** An engine: messages for the sockets of a user. */
  user: (userId: number) => `fulcrum.user.${userId}`,
} as const;

export function toJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The sender is a process of the cluster: what it says is believed. */
export function fromJson<T>(data: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(data)) as T;
}
