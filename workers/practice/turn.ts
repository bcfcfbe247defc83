import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/ports';

/** The tab that plays has it. */
const PLAYS = 'fulcrum.practice';
/** It has this one too: another tab that takes it away asks for the first. */
const ASKED = 'fulcrum.practice.asked';
/** A tab that does not leave within this time, ms, is frozen: it was hidden, and so has nothing that is not stored. */
const PATIENCE_MS = toDurationMs(2000);

type Release = () => void;

/** What a tab that plays is told. */
export interface TurnListener {
  /** Another tab wants to play: release once all is stored. */
  asked(): void;
  /** Another tab plays: store nothing any more. */
  lost(): void;
}

/**
 * Takes the turn of this device's practice session, which one tab plays at a time: two would each write its own over the other's. Web
 * Locks, which the browser releases when a tab ends, however it ends; without them (a page that is not served securely, a user who
 * blocks all site data) every tab plays.
 * Returns the function that gives it back; undefined while another tab has it, unless `insist`: that one is asked to leave.
 */
export async function takeTurn(
  locks: Pick<LockManager, 'request'> | undefined,
  clock: Clock,
  insist: boolean,
  listener: TurnListener,
): Promise<Release | undefined> {
  if (!locks) return () => {};
  const plays = await (insist ? insisted(locks, clock, listener) : held(locks, listener));
  if (!plays) return undefined;
  const asked = await lock(locks, ASKED, {}, () => listener.asked());
  return () => {
    asked?.();
    plays();
  };
}

function held(locks: Pick<LockManager, 'request'>, { lost }: TurnListener) {
  return lock(locks, PLAYS, { ifAvailable: true }, lost);
}

async function insisted(
  locks: Pick<LockManager, 'request'>,
  clock: Clock,
  { lost }: TurnListener,
): Promise<Release | undefined> {
  const asked = await lock(locks, ASKED, { steal: true }, () => {});
  asked?.();
  const waiting = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => waiting.abort());
  const given = await lock(locks, PLAYS, { signal: waiting.signal }, lost);
  cancel();
  return given ?? lock(locks, PLAYS, { steal: true }, lost);
}

/** Resolves with the function that releases it; with undefined where it is not to be had. `stolen`: it was held, and is another tab's. */
function lock(
  locks: Pick<LockManager, 'request'>,
  name: string,
  options: LockOptions,
  stolen: () => void,
): Promise<Release | undefined> {
  return new Promise((resolve) => {
    let isHeld = false;
    locks
      .request(name, options, (granted) => {
        if (!granted) return undefined;
        isHeld = true;
        return new Promise<void>((release) => {
          resolve(() => {
            isHeld = false;
            release();
          });
        });
      })
      .catch(() => {
        if (isHeld) stolen();
        // The browser gives no locks.
        else if (!options.signal?.aborted) resolve(() => {});
      })
      .finally(() => resolve(undefined));
  });
}
