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
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import {
  attemptOf,
  GONE_KEPT_MS,
  MOST_BYTES,
  MOST_DEVICES,
  MOST_FIELDS,
  MOST_GONE,
  type ReplacedField,
  type WriteId,
  writtenOver,
} from '#domain/account/syncedSettings';
import { CODE_OTHER_CONTENT } from '#domain/api/envelope';
import { type SettingsChangesRow, saveSettings } from '#domain/api/settings';
import { timeBefore, type UnixMs } from '#domain/core/time';
import { getOrInsert } from '../core/getOrInsert';
import type { Db, Tx } from '../db/database';
import { settingsFields, settingsRevisions, settingsWrites } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { fingerprintOf } from '../idempotency/fingerprint';

/** A write of a device: fields of a document and what they are to be; undefined: deleted. */
export interface SettingsWrite {
  name: string;
  /** The newest revision that the device knew. */
  base: number;
  fields: ReadonlyMap<string, string | undefined>;
  /** Undefined of a client that repeats a write as if it were a new one. */
  id: WriteId | undefined;
}

/** What became of a write. */
interface Written {
  revision: number;
  /** The values that it replaced unseen. */
  replaced: ReplacedField[];
  changed: boolean;
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
   * Writes what differs from what is stored, as one revision, and returns what became of it; of a repetition what became of
   * the first one. Refused as a whole where the user then has too much.
   */
  async write(work: UnitOfWork, userId: number, write: SettingsWrite): Promise<Written> {
    const { id, name, base, fields } = write;
    if (!id) return this.writeOnce(work, userId, write);
    const { tx } = work;
    const { device, number } = id;
    const fingerprint = fingerprintOf(saveSettings, { name, base, fields: [...fields] });
    const [last] = await tx
      .select()
      .from(settingsWrites)
      .where(and(eq(settingsWrites.userId, userId), eq(settingsWrites.device, device)));
    const attempt = attemptOf(last, { number, fingerprint });
    if (attempt === 'other') throw new Refusal(CODE_OTHER_CONTENT, 'server.keyOfOtherCall');
    if (last && attempt === 'repeated') {
      return { revision: last.revision, replaced: JSON.parse(last.replaced), changed: false };
    }
    const written = await this.writeOnce(work, userId, write);
    const { revision } = written;
    const row = { number, fingerprint, revision, writtenAt: new Date(this.now()) };
    const values = { ...row, replaced: JSON.stringify(written.replaced) };
    await tx
      .insert(settingsWrites)
      .values({ userId, device, ...values })
      .onConflictDoUpdate({
        target: [settingsWrites.userId, settingsWrites.device],
        set: values,
      });
    await this.forgetDevices(tx, id, userId);
    return written;
  }

  private async writeOnce(
    { tx }: UnitOfWork,
    userId: number,
    { name, base, fields }: SettingsWrite,
  ): Promise<Written> {
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

  /** Forgets the last writes of devices that are too old, too many, or have too long answers together; never that of this one. */
  private async forgetDevices(tx: Tx, { device: own }: WriteId, userId: number): Promise<void> {
    const { device, replaced, writtenAt } = settingsWrites;
    const ofUser = eq(settingsWrites.userId, userId);
    const newestFirst = sql`(order by ${writtenAt} desc, ${device})`;
    const kept = tx
      .select({
        device,
        writtenAt,
        place: sql<number>`row_number() over ${newestFirst}`.as('place'),
        bytes: sql<number>`sum(octet_length(${replaced})) over ${newestFirst}`.as('bytes'),
      })
      .from(settingsWrites)
      .where(ofUser)
      .as('kept');
    const since = new Date(timeBefore(this.now(), GONE_KEPT_MS));
    const isTooMuch = or(gt(kept.place, MOST_DEVICES), gt(kept.bytes, MOST_BYTES));
    const forgotten = tx
      .select({ device: kept.device })
      .from(kept)
      .where(and(ne(kept.device, own), or(isTooMuch, lt(kept.writtenAt, since))));
    await tx.delete(settingsWrites).where(and(ofUser, inArray(device, forgotten)));
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
