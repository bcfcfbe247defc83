import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
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
    const size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    const header = size > 0 ? '' : `${HEADER}\n`;
    this.write(`${header}${rows.join('\n')}\n`);
  }

  private write(text: string): void {
    const bytes = this.compressed ? gzipSync(text) : Buffer.from(text);
    const file = openSync(this.path, 'a');
    try {
      this.extend(file, bytes);
    } finally {
      closeSync(file);
    }
  }

  /** Writes all bytes or, on a full disk, none. */
  private extend(file: number, bytes: Buffer): void {
    const { size } = fstatSync(file);
    try {
      writeFileSync(file, bytes);
    } catch (error) {
      ftruncateSync(file, size);
      throw error;
    }
  }

  /** Reads what is there. A broken end is cut off; without the space for that, the file stays as it is. */
  private async restore(): Promise<UnixMs | undefined> {
    let { last, isBroken } = await this.readLines(() => {});
    if (isBroken) {
      const saved = `${this.path}.saved`;
      try {
        writeFileSync(saved, '');
        ({ last } = await this.readLines((bytes) =>
          appendFileSync(saved, this.compressed ? gzipSync(bytes) : bytes),
        ));
        renameSync(saved, this.path);
      } catch (error) {
        rmSync(saved, { force: true });
        throw error;
      }
    }
    const time = Number(last?.replace('#bar,', '').split(',')[0]);
    if (!(time > 0)) return undefined;
    this.day = new Date(time).toISOString().slice(0, 10);
    return toUnixMs(time);
  }

  /** Reads the whole lines. `isBroken`: something else follows them, as after a power failure. */
  private async readLines(
    use: (bytes: Buffer) => void,
  ): Promise<{ last: string | undefined; isBroken: boolean }> {
    let rest = '';
    let last: string | undefined;
    try {
      for await (const chunk of readText(this.path)) {
        // A character for each byte: a chunk may end within one of UTF-8.
        const text = rest + Buffer.from(chunk).toString('latin1');
        const end = text.lastIndexOf('\n') + 1;
        rest = text.slice(end);
        if (end === 0) continue;
        const lines = text.slice(0, end);
        last = lines.split('\n').at(-2);
        use(Buffer.from(lines, 'latin1'));
      }
    } catch (error) {
      // Any other error tells nothing about the file: neither one of the disk nor one of `use`.
      if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
      return { last, isBroken: true };
    }
    return { last, isBroken: rest !== '' };
  }
}
