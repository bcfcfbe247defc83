import type { FastifyInstance } from 'fastify';
import * as api from '#domain/api/settings';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import { Quota } from '../account/limits/counters';
import type { Db } from '../db/database';
import type { Transactions } from '../db/transactions';
import { TooManyRequests } from '../http/refusal';
import { route } from '../http/route';
import type { PrivateMessage } from '../socket/logins';
import { SyncedSettings } from './store';

/** Writes of a user within a minute: a device that is used without a pause makes fewer, and waits where that is too often. */
const WRITES_A_MINUTE = 180;
const MINUTE = toDurationMs(60_000);
/** More than a user may have: too much is then refused, and a megabyte is not read. */
export const MOST_SENT_BYTES = 512 * 1024;

export interface SyncedSettingsOptions {
  db: Db;
  transactions: Transactions;
  now(): UnixMs;
  /** Sends a message to the user's sockets, in order. */
  publish(userId: number, message: Extract<PrivateMessage, { type: 'SETTINGS' }>): void;
}

/** Settings that follow the account (protocol.md#synced-settings). */
export function createSyncedSettings({ db, transactions, now, publish }: SyncedSettingsOptions): {
  routes(app: FastifyInstance): void;
} {
  const settings = new SyncedSettings(db, now);
  const quota = new Quota(WRITES_A_MINUTE, now, MINUTE);
  return {
    routes(app) {
      route(app, api.settingsChanges, {
        handler: ({ params, caller }) => settings.changes(caller.userId, params.since),
      });

      route(app, api.saveSettings, {
        bodyLimit: MOST_SENT_BYTES,
        async handler({ params: { name, base, set, del, id }, caller: { userId } }) {
          const wait = quota.take(String(userId));
          if (wait > 0) throw new TooManyRequests(wait / 1000);
          const fields = new Map<string, string | undefined>(set);
          for (const field of del) fields.set(field, undefined);
          const { revision, replaced } = await transactions.run(async (work) => {
            const written = await settings.write(work, userId, { name, base, fields, id });
            const data = { revision: written.revision };
            if (written.changed) work.onCommit(() => publish(userId, { type: 'SETTINGS', data }));
            return written;
          });
          return {
            revision,
            replaced: replaced.map(({ field, text }) => ({ field, value: JSON.parse(text) })),
          };
        },
      });
    },
  };
}
