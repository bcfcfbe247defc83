import encodeQR from 'qr';

/** A QR code for a terminal of any colours: half a character for each module. */
export function qrCode(text: string): string {
  const lines = encodeQR(text, 'ascii', { ecc: 'low' }).trimEnd().split('\n');
  // Blocks are the light modules: white on black, whatever the terminal's colours are.
  return lines.map((line) => `\x1b[97;40m${line}\x1b[0m`).join('\n');
}
