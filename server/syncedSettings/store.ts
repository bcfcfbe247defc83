import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import {
  GONE_KEPT_MS,
  MOST_BYTES,
  MOST_FIELDS,
  MOST_GONE,
  type ReplacedField,
  writtenOver,
} from '#domain/account/syncedSettings';
import type { SettingsChangesRow } from '#domain/api/settings';
import { timeBefore, type UnixMs } from '#domain/core/time';
import { getOrInsert } from '../core/getOrInsert';
import type { Db, Tx } from '../db/database';
import { settingsFields, settingsRevisions } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';

/** A write of a device: fields of a document and what they are to be; undefined: deleted. */
export interface SettingsWrite {
  name: string;
  /** The newest revision that the device knew. */
  base: number;
  fields: ReadonlyMap<string, string | undefined>;
}

type Docs = SettingsChangesRow['docs'];

/** The settings of users (protocol.md#synced-settings). */
export class SyncedSettings {
  private readonly db: Db;
  private readonly now: () => UnixMs;

  constructor(db: Db, now: () => UnixMs) {
    this.db = db;
    this.now = now;
  }

  /** What has changed since a revision; since 0 all fields, and no deletions. */
  async changes(userId: number, since: number): Promise<SettingsChangesRow> {
    // Read first: what is written meanwhile is read again with the next changes.
    const revision = await revisionOf(this.db, userId);
    const rows = await this.db
      .select()
      .from(settingsFields)
      .where(and(eq(settingsFields.userId, userId), gt(settingsFields.revision, since)))
      .orderBy(asc(settingsFields.name), asc(settingsFields.field));
    const docs = new Map<string, Docs[number]>();
    for (const { name, field, value, revision } of rows) {
      if (value === null && since === 0) continue;
      const { fields, gone } = getOrInsert(docs, name, () => ({ name, fields: {}, gone: [] }));
      if (value === null) gone.push({ field, revision });
      else fields[field] = { value: JSON.parse(value), revision };
    }
    return { revision, docs: [...docs.values()] };
  }

  /**
   * Writes what differs from what is stored, as one revision. Refused as a whole where the user then has too much.
   * Returns the newest revision, and the values that were replaced unseen.
   */
  async write(
    { tx }: UnitOfWork,
    userId: number,
    { name, base, fields }: SettingsWrite,
  ): Promise<{ revision: number; replaced: ReplacedField[]; changed: boolean }> {
    const before = await revisionOf(tx, userId);
    const stored = await tx
      .select()
      .from(settingsFields)
      .where(
        and(
          eq(settingsFields.userId, userId),
          eq(settingsFields.name, name),
          inArray(settingsFields.field, [...fields.keys()]),
        ),
      );
    const known = new Map(
      stored.map(({ field, value, revision }) => [field, { text: value ?? undefined, revision }]),
    );
    const { changed, replaced } = writtenOver(known, base, fields);
    if (changed.size === 0) return { revision: before, replaced, changed: false };
    const revision = before + 1;
    await tx
      .insert(settingsRevisions)
      .values({ userId, revision })
      .onConflictDoUpdate({ target: settingsRevisions.userId, set: { revision } });
    const changedAt = new Date(this.now());
    await tx
      .insert(settingsFields)
      .values(
        [...changed].map(([field, text]) => ({
          ...{ userId, name, field, value: text ?? null, revision, changedAt },
        })),
      )
      .onConflictDoUpdate({
        target: [settingsFields.userId, settingsFields.name, settingsFields.field],
        set: { value: sql`excluded.value`, revision, changedAt },
      });
    await this.forgetGone(tx, userId);
    await checkSize(tx, userId);
    return { revision, replaced, changed: true };
  }

  /** Forgets deletions that are too old, or too many. */
  private async forgetGone(tx: Tx, userId: number): Promise<void> {
    const gone = and(eq(settingsFields.userId, userId), isNull(settingsFields.value)) as SQL;
    const [oldest] = await tx
      .select({ revision: settingsFields.revision })
      .from(settingsFields)
      .where(gone)
      .orderBy(desc(settingsFields.revision))
      .offset(MOST_GONE)
      .limit(1);
    const since = new Date(timeBefore(this.now(), GONE_KEPT_MS));
    const isOld = lt(settingsFields.changedAt, since);
    const isTooMuch = oldest && lt(settingsFields.revision, oldest.revision + 1);
    await tx.delete(settingsFields).where(and(gone, isTooMuch ? or(isOld, isTooMuch) : isOld));
  }
}

async function revisionOf(db: Db | Tx, userId: number): Promise<number> {
  const [row] = await db
    .select({ revision: settingsRevisions.revision })
    .from(settingsRevisions)
    .where(eq(settingsRevisions.userId, userId));
  return row?.revision ?? 0;
}

async function checkSize(tx: Tx, userId: number): Promise<void> {
  const { name, field, value } = settingsFields;
  const bytes = sql<number>`coalesce(sum(octet_length(${name}) + octet_length(${field}) + octet_length(${value})), 0)::int`;
  const [row] = await tx
    .select({ bytes, count: sql<number>`count(*)::int` })
    .from(settingsFields)
    .where(and(eq(settingsFields.userId, userId), isNotNull(value)));
  if ((row?.bytes ?? 0) > MOST_BYTES || (row?.count ?? 0) > MOST_FIELDS) {
    throw new Refusal(CODE_REFUSED, 'server.settingsTooLarge');
  }
}
