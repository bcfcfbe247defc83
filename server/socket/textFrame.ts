import type { Brand } from '#domain/core/brand';

/** A text message with its websocket header (RFC 6455, 5.2), each character one byte. */
export type TextFrame = Brand<string, 'TextFrame'>;

const FIN_TEXT = 0x81;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

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
  return (header(text.length) + text) as TextFrame;
}

function header(length: number): string {
  const { fromCharCode } = String;
  if (length < LENGTH_IN_16_BITS) return fromCharCode(FIN_TEXT, length);
  if (length < 2 ** 16) {
    return fromCharCode(FIN_TEXT, LENGTH_IN_16_BITS, length >> 8, length & 255);
  }
  const bytes = [24, 16, 8, 0].map((bits) => (length >>> bits) & 255);
  return fromCharCode(FIN_TEXT, LENGTH_IN_64_BITS, 0, 0, 0, 0, ...bytes);
}
