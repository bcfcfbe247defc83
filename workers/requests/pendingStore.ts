import type { EndpointFields } from '#domain/api/endpoint';
import { readFields, readInteger, readText, readUnixMs } from '#domain/core/read';
import type { Failure } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
import type { RequestSubject } from '#domain/worker/requests';
import type { Storage, TabLocks } from '../core/ports';

const PREFIX = 'request ';

/** A changing call that is in flight or unanswered, as it is stored: an entry of its own for each key. */
export interface Entry {
  key: string;
  /** Id of the user; only they may repeat the call. */
  user: number;
  /** The lock of the tab that sends it. */
  tab: string;
  /** How it is sent. */
  endpoint: EndpointFields;
  params: object;
  subject: RequestSubject;
  /** The market's clock when the user confirmed it, at the earliest. */
  from: UnixMs;
  /** The deadline, on the server's wall clock; undefined towards a server without deadlines. */
  validUntil: UnixMs | undefined;
  /** Set once the call can't be repeated any more: the latest time on the market's clock at which it may have been executed. */
  until: UnixMs | undefined;
  /** As `Sending.continues`. */
  continues?: string | undefined;
  /** Set once it is known that of a reversal only the close was done: why the opposite order was not placed. */
  half?: Failure | undefined;
}

/** The entries of all tabs (architecture.md#idempotent-requests). */
export interface RequestRecord {
  put(entry: Entry): Promise<void>;
  remove(key: string): Promise<void>;
  /** The entries of a user that no other tab is working on: this tab's own, and those of tabs that are gone, which become its own. */
  take(user: number): Promise<Entry[]>;
}

export function createPendingStore(storage: Storage, locks: TabLocks): RequestRecord {
  const nameOf = (key: string) => PREFIX + key;

  /** Makes an entry of a tab that is gone this tab's. Undefined while that tab lives, or where another tab was faster. */
  async function adopt({ key, tab }: Entry): Promise<Entry | undefined> {
    const release = await locks.take(tab);
    if (!release) return undefined;
    const present = readEntry(await storage.get(nameOf(key)));
    const adopted = present?.tab === tab ? { ...present, tab: locks.own } : undefined;
    if (adopted) await storage.set(nameOf(key), adopted);
    release();
    return adopted;
  }

  return {
    async put(entry) {
      await locks.held;
      await storage.set(nameOf(entry.key), entry);
    },
    remove: (key) => storage.remove(nameOf(key)),
    async take(user) {
      await locks.held;
      const taken: Entry[] = [];
      for (const value of await storage.all(PREFIX)) {
        const entry = readEntry(value);
        if (entry?.user !== user) continue;
        const mine = entry.tab === locks.own ? entry : await adopt(entry);
        if (mine) taken.push(mine);
      }
      return taken;
    },
  };
}

/** Undefined for what another version of the app may have stored. */
function readEntry(value: unknown): Entry | undefined {
  const fields = readFields(value);
  if (!fields) return undefined;
  const endpoint = readFields(fields['endpoint']);
  const params = readFields(fields['params']);
  const subject = readFields(fields['subject']);
  const key = readText(fields['key']);
  const tab = readText(fields['tab']);
  const user = readInteger(fields['user']);
  const from = readUnixMs(fields['from']);
  if (!key || !tab || user === undefined || from === undefined) return undefined;
  if (!params || !readText(endpoint?.['path']) || !readText(subject?.['kind'])) return undefined;
  return {
    key,
    tab,
    user,
    params,
    endpoint: endpoint as unknown as EndpointFields,
    subject: subject as unknown as RequestSubject,
    from,
    validUntil: readUnixMs(fields['validUntil']),
    until: readUnixMs(fields['until']),
    continues: readText(fields['continues']) || undefined,
    half: fields['half'] as Failure | undefined,
  };
}
