import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Clock } from '../../core/clock';
import { addressAt, USER_AGENT } from './address';
import type { Codec } from './codec';

const ANSWER_WITHIN = toDurationMs(15_000);
/** After an answer that asks for less, where it does not say how long. */
const COOL_DOWN = toDurationMs(10_000);
/** Answers that say that calls come too fast, or are blocked for a while. */
const TOO_MANY = new Set([418, 429]);

/** An answer that is none of HTTP 2xx. */
class RestRefusal extends Error {
  readonly status: number;

  constructor(name: string, status: number) {
    super(
      status === 451 || status === 403
        ? `${name} does not serve this place (HTTP ${status})`
        : `${name} answered HTTP ${status}`,
    );
    this.status = status;
  }
}

/** Calls of an exchange's REST interface, started one after the other at the pace that it allows. */
export class RestClient {
  private readonly codec: Codec;
  private readonly instead: string;
  private readonly clock: Clock;
  private nextAt = toDurationMs(0);

  /** `instead` replaces the exchange's address; empty: its own. */
  constructor(codec: Codec, instead: string, clock: Clock) {
    this.codec = codec;
    this.instead = instead;
    this.clock = clock;
  }

  /** The JSON of an answer; throws where there is none. */
  readonly get = async (path: string, turns = 1): Promise<unknown> => {
    await this.turn(turns);
    const { codec, clock, instead } = this;
    const timeout = new AbortController();
    const cancel = clock.after(ANSWER_WITHIN, () =>
      timeout.abort(new Error(`${codec.name} did not answer for ${ANSWER_WITHIN / 1000} s`)),
    );
    try {
      const response = await fetch(addressAt(codec.rest, instead, path), {
        headers: { 'user-agent': USER_AGENT, accept: 'application/json' },
        signal: timeout.signal,
      });
      if (!response.ok) {
        await response.body?.cancel();
        if (TOO_MANY.has(response.status)) this.coolDown(response.headers.get('retry-after'));
        throw new RestRefusal(codec.name, response.status);
      }
      return await response.json();
    } finally {
      cancel();
    }
  };

  /** Resolves when the next call may start. */
  private async turn(turns: number): Promise<void> {
    const now = this.clock.elapsed();
    const at = toDurationMs(Math.max(now, this.nextAt));
    this.nextAt = toDurationMs(at + turns * this.codec.limits.callEvery);
    if (at > now) await wait(this.clock, toDurationMs(at - now));
  }

  private coolDown(retryAfter: string | null): void {
    const seconds = Number(retryAfter);
    const pause = retryAfter && seconds > 0 ? seconds * 1000 : COOL_DOWN;
    this.nextAt = toDurationMs(Math.max(this.nextAt, this.clock.elapsed() + pause));
  }
}

function wait(clock: Clock, length: DurationMs): Promise<void> {
  return new Promise((resolve) => {
    clock.after(length, resolve);
  });
}
