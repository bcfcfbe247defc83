import type { Brand } from '#domain/core/brand';

/** A text message with its websocket header (RFC 6455, 5.2). Shared by its readers: nobody writes into it. */
export type TextFrame = Buffer & Brand<'TextFrame'>;

const FIN_TEXT = 0x81;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;
/** Bytes of the longest header. */
export const MAX_HEADER = 10;

/** The JSON of a message, as a frame. */
export function jsonFrame(message: unknown): TextFrame {
  return textFrame(asciiJson(message));
}

/** JSON whose other characters are escaped, so that its characters are its bytes. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `text` must be ASCII. */
export function textFrame(text: string): TextFrame {
  const bytes = Buffer.allocUnsafe(MAX_HEADER + text.length);
  bytes.write(text, MAX_HEADER, 'latin1');
  return frameAround(bytes, MAX_HEADER, bytes.length);
}

/** Makes a frame of the part of `bytes` between two indices. Before the first there must be room for a header. */
export function frameAround(bytes: Buffer, from: number, to: number): TextFrame {
  const length = to - from;
  let start: number;
  if (length < LENGTH_IN_16_BITS) {
    start = from - 2;
    bytes[start + 1] = length;
  } else if (length < 2 ** 16) {
    start = from - 4;
    bytes[start + 1] = LENGTH_IN_16_BITS;
    bytes.writeUInt16BE(length, start + 2);
  } else {
    start = from - MAX_HEADER;
    bytes[start + 1] = LENGTH_IN_64_BITS;
    bytes.writeBigUInt64BE(BigInt(length), start + 2);
  }
  bytes[start] = FIN_TEXT;
  return bytes.subarray(start, to) as TextFrame;
}
