/**
 * A version 4 uuid of 16 random bytes, which are changed by it.
 * `crypto.randomUUID` is missing where the page is not served securely, as on a phone in a local network.
 */
export function uuidOf(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const FORM = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether it has the form of a uuid, in small letters. */
export function isUuid(text: string): boolean {
  return FORM.test(text);
}
