import type { GatewayEvent } from '#domain/gateway/gateway';
import type { OtherTabs, Storage } from '../core/ports';

const KEY = 'token';

export interface SessionOptions {
  storage: Storage;
  otherTabs: OtherTabs;
  emit: (event: GatewayEvent) => void;
  /** Another token than before, or none any more. */
  changed: (token: string) => void;
}

/** Who is logged in: the token, kept over visits. */
export interface Session {
  /** Empty for a visitor. */
  readonly token: string;
  /** Settles once the token of the last visit is known. */
  readonly ready: Promise<void>;
  set(token: string): void;
  /** Code 999 (§8) came to something that carried `token`. An old one's says nothing of the present session. */
  signedOut(token: string, initial: boolean): void;
}

export function createSession({ storage, otherTabs, emit, changed }: SessionOptions): Session {
  let token = '';
  let decided = false;

  function take(next: string): void {
    decided = true;
    if (next === token) return;
    token = next;
    changed(next);
  }

  function set(next: string): void {
    if (decided && next === token) return;
    take(next);
    void (next ? storage.set(KEY, next) : storage.remove(KEY));
    otherTabs.publishToken(next);
  }

  // What they stored already; telling it on would go in circles.
  otherTabs.onToken(take);

  async function load(): Promise<void> {
    const stored = await storage.get(KEY);
    if (decided || typeof stored !== 'string' || !stored) return;
    token = stored;
    changed(stored);
  }

  return {
    get token() {
      return token;
    },
    ready: load(),
    set,
    signedOut(refused, initial) {
      if (refused !== token) return;
      set('');
      emit({ type: 'signed-out', initial });
    },
  };
}
