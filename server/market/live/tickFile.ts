import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import { HEADER } from '../replay/csvRows';
import { readText } from '../replay/file';

const ENDING = /(\.csv)?(\.gz)?$/;

/**
 * A file of ticks that grows by whole lines: each append is one write, and of a compressed file one gzip member, so
 * that a process that is killed leaves no broken line.
 */
export class TickFile {
  private readonly path: string;
  private readonly compressed: boolean;
  /** UTC day of the rows in the file. */
  private day: string | undefined;

  private constructor(path: string) {
    this.path = path;
    this.compressed = path.endsWith('.gz');
  }

  /** Opens a file, which may be one of an earlier recording; `last` is the time of its last row. */
  static async open(path: string): Promise<{ file: TickFile; last: UnixMs | undefined }> {
    const file = new TickFile(path);
    return { file, last: existsSync(path) ? await file.restore() : undefined };
  }

  /** Appends rows, oldest first, all of one UTC day. A file of another day is put aside. */
  append(rows: readonly string[], time: UnixMs): void {
    if (rows.length === 0) return;
    const day = new Date(time).toISOString().slice(0, 10);
    if (this.day !== undefined && this.day !== day) {
      renameSync(
        this.path,
        this.path.replace(ENDING, (ending) => `-${this.day}${ending}`),
      );
    }
    this.day = day;
    const header = existsSync(this.path) ? '' : `${HEADER}\n`;
    this.write(`${header}${rows.join('\n')}\n`);
  }

  private write(text: string): void {
    const bytes = this.compressed ? gzipSync(text) : Buffer.from(text);
    const file = openSync(this.path, 'a');
    try {
      writeSync(file, bytes);
    } finally {
      closeSync(file);
    }
  }

  /** Reads what is there; a broken end, as of a full disk, is cut off. */
  private async restore(): Promise<UnixMs | undefined> {
    let rest = '';
    let last: string | undefined;
    let whole = true;
    const saved = `${this.path}.saved`;
    rmSync(saved, { force: true });
    try {
      for await (const chunk of readText(this.path)) {
        // A character for each byte: a chunk may end within one of UTF-8.
        const text = rest + Buffer.from(chunk).toString('latin1');
        const end = text.lastIndexOf('\n') + 1;
        rest = text.slice(end);
        const lines = text.slice(0, end);
        last = lines.split('\n').at(-2) ?? last;
        const bytes = Buffer.from(lines, 'latin1');
        appendFileSync(saved, this.compressed ? gzipSync(bytes) : bytes);
      }
    } catch {
      whole = false;
    }
    if (whole && rest === '') rmSync(saved, { force: true });
    else if (existsSync(saved)) renameSync(saved, this.path);
    else writeFileSync(this.path, '');
    const time = Number(last?.replace('#bar,', '').split(',')[0]);
    if (!(time > 0)) return undefined;
    this.day = new Date(time).toISOString().slice(0, 10);
    return toUnixMs(time);
  }
}
