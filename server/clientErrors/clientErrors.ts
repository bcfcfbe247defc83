import { createHash } from 'node:crypto';
import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm';
import type { ClientError } from '#domain/api/clientErrors';
import { scrubbed } from '#domain/core/scrubbed';
import { DAY_MS, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Db } from '../db/database';
import { clientErrors, type ErrorSample, releases } from '../db/schema';
import type { Metrics } from '../metrics/metrics';
import type { SourceMaps } from './sourceMaps';

export interface ClientErrorParts {
  db: Db;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'clientFailed' | 'clientErrorForgotten' | 'releaseServed'> | undefined;
  maps: SourceMaps;
  /** The build that this server serves; empty where it serves no page. */
  release: string;
}

const WRITE_EVERY_MS = toDurationMs(10_000);
/** Errors without a report for this long are removed. */
const KEPT_MS = toDurationMs(90 * DAY_MS);
/** Anybody can make up reports: neither memory nor database holds more errors of a release. */
const MOST_ERRORS = 100;
const MOST_RELEASES = 20;
/** Frames that distinguish errors. */
const SIGNIFICANT = 3;
/** The file of every release has this name. */
const SERVICE_WORKER = 'service-worker.js';

/** An error that was reported since the last write. */
interface Reported {
  release: string;
  fingerprint: string;
  firstAt: UnixMs;
  lastAt: UnixMs;
  count: number;
  sample: ErrorSample;
}

/** Counts errors that clients report, by release and fingerprint (protocol.md#client-errors). What is not written yet is lost in a crash. */
export class ClientErrors {
  private readonly parts: ClientErrorParts;
  private readonly task: RepeatedTask;
  /** By release and fingerprint. */
  private waiting = new Map<string, Reported>();
  /** Reports of each fingerprint since the start, by releases that this server has served. */
  private readonly known = new Map<string, Map<string, number>>();

  constructor(parts: ClientErrorParts) {
    this.parts = parts;
    const { clock, log } = parts;
    const run = () => this.write();
    this.task = new RepeatedTask({ name: 'client errors', every: WRITE_EVERY_MS, clock, log, run });
  }

  async start(): Promise<void> {
    const { db, clock, metrics, release } = this.parts;
    if (release !== '') {
      const served = { release, firstServedAt: new Date(clock.now()) };
      await db.insert(releases).values(served).onConflictDoNothing();
    }
    // Before they are known here: an error of a release without a row can't be written, nor what is written with it.
    const latest = db
      .select({ release: releases.release })
      .from(releases)
      .orderBy(desc(releases.firstServedAt))
      .limit(MOST_RELEASES);
    await db.delete(releases).where(notInArray(releases.release, latest));
    const rows = await db.select().from(releases).orderBy(desc(releases.firstServedAt));
    for (const row of rows) this.known.set(row.release, new Map());
    const [former] = rows.filter((row) => row.release !== release);
    metrics?.releaseServed(release, former?.release);
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
    await this.write();
  }

  /** Counts a report. */
  async reported({ release, name, text, ...report }: ClientError): Promise<void> {
    const { clock, maps, metrics } = this.parts;
    const places = report.stack.split(' ');
    const isOwn = release === this.parts.release;
    const stack = await Promise.all(
      places.map((place) =>
        isOwn || !place.startsWith(SERVICE_WORKER) ? maps.resolve(place) : place,
      ),
    );
    const sample = { ...report, message: `${name}: ${scrubbed(text)}`, stack };
    const fingerprint = fingerprintOf(sample);
    const counts = this.known.get(release);
    if (!counts) return metrics?.clientFailed('unknown', 'other');
    if (!counts.has(fingerprint)) this.makeRoom(release, counts);
    counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1);
    metrics?.clientFailed(release, fingerprint);
    const now = clock.now();
    this.add({ release, fingerprint, firstAt: now, lastAt: now, count: 1, sample });
  }

  /** Forgets the rarest error of a full release: made-up ones push each other out, and not one that many devices have. */
  private makeRoom(release: string, counts: Map<string, number>): void {
    if (counts.size < MOST_ERRORS) return;
    const [rarest] = [...counts].reduce((a, b) => (b[1] < a[1] ? b : a));
    counts.delete(rarest);
    this.waiting.delete(`${release} ${rarest}`);
    this.parts.metrics?.clientErrorForgotten(release, rarest);
  }

  private add(reported: Reported): void {
    const key = `${reported.release} ${reported.fingerprint}`;
    const known = this.waiting.get(key);
    this.waiting.set(
      key,
      known ? { ...known, lastAt: reported.lastAt, count: known.count + reported.count } : reported,
    );
  }

  private async write(): Promise<void> {
    const { db } = this.parts;
    const written = this.waiting;
    if (written.size === 0) return;
    this.waiting = new Map();
    const rows = [...written.values()].map(({ firstAt, lastAt, ...row }) => ({
      ...row,
      firstAt: new Date(firstAt),
      lastAt: new Date(lastAt),
    }));
    try {
      await db
        .insert(clientErrors)
        .values(rows)
        .onConflictDoUpdate({
          target: [clientErrors.release, clientErrors.fingerprint],
          set: {
            count: sql`least(${clientErrors.count}::bigint + excluded.count, 2147483647)::int`,
            lastAt: sql`excluded.last_at`,
          },
        });
    } catch (error) {
      const later = [...this.waiting.values()];
      this.waiting = written;
      for (const each of later) this.add(each);
      throw error;
    }
    await this.removeRarest(new Set(rows.map(({ release }) => release)));
  }

  async removeOld(): Promise<void> {
    const { db, clock } = this.parts;
    await db.delete(clientErrors).where(lt(clientErrors.lastAt, new Date(clock.now() - KEPT_MS)));
  }

  private async removeRarest(written: ReadonlySet<string>): Promise<void> {
    const { db } = this.parts;
    for (const release of written) {
      const ofRelease = eq(clientErrors.release, release);
      const kept = db
        .select({ fingerprint: clientErrors.fingerprint })
        .from(clientErrors)
        .where(ofRelease)
        .orderBy(desc(clientErrors.count), desc(clientErrors.lastAt))
        .limit(MOST_ERRORS);
      await db
        .delete(clientErrors)
        .where(and(ofRelease, notInArray(clientErrors.fingerprint, kept)));
    }
  }
}

/** The same for an error in the same files with the same sentence, whatever the lines, which each release moves. */
function fingerprintOf({ message, stack }: ErrorSample): string {
  const files = stack
    .slice(0, SIGNIFICANT)
    .map((place) => place.replace(/(-[\w-]{7,8})?(\.js)?:\d.*$/, ''));
  return createHash('sha256')
    .update([message, ...files].join('\n'))
    .digest('hex')
    .slice(0, 12);
}
