import { frameAround, MAX_HEADER, type TextFrame } from './textFrame';

const CHUNK = 64 * 1024;
const COMMA = 44;
const START = { full: '{"type":"DAY_MARKET","data":[', compact: '{"type":"DM","data":[' };
const END = ']}';

/**
 * Builds a message of DAY_MARKET from rows, in memory that is reused for the next message: a message
 * for each reader costs a copy of its rows, and no garbage.
 */
export class QuoteMessage {
  /** How many rows it has. */
  rows = 0;
  private bytes = Buffer.allocUnsafeSlow(CHUNK);
  /** Where frames that are still being sent end. */
  private kept = 0;
  private start = 0;
  private end = 0;

  begin(compact: boolean): void {
    this.rows = 0;
    this.start = this.kept + MAX_HEADER;
    this.end = this.start;
    this.append(compact ? START.compact : START.full);
  }

  /** Adds the row at the beginning of `bytes`. */
  add(bytes: Buffer, length: number): void {
    this.separate(bytes.length);
    // Copy all of `bytes`: a slice would be another object. The next row overwrites the excess.
    this.bytes.set(bytes, this.end);
    this.end += length;
  }

  /** Adds a row that is ASCII. */
  addText(row: string): void {
    this.separate(row.length);
    this.append(row);
  }

  /** The frame, until the next `begin`; longer where `keep` is called. */
  frame(): TextFrame {
    this.append(END);
    return frameAround(this.bytes, this.start, this.end);
  }

  /** The last frame is still being sent: what follows is written behind it. */
  keep(): void {
    this.kept = this.end;
  }

  private separate(length: number): void {
    this.makeRoom(length + 1);
    if (this.rows++ > 0) this.bytes[this.end++] = COMMA;
  }

  private append(text: string): void {
    this.makeRoom(text.length);
    this.end += this.bytes.write(text, this.end, 'latin1');
  }

  private makeRoom(length: number): void {
    if (this.end + length <= this.bytes.length) return;
    const written = this.end - this.start;
    const bytes = Buffer.allocUnsafeSlow(Math.max(CHUNK, 2 * (MAX_HEADER + written + length)));
    this.bytes.copy(bytes, MAX_HEADER, this.start, this.end);
    this.bytes = bytes;
    this.kept = 0;
    this.start = MAX_HEADER;
    this.end = MAX_HEADER + written;
  }
}
