import { SerialQueue } from '../core/serialQueue';
import { CODE_REFUSED, Refusal } from '../http/refusal';

/** Largest picture that is decoded: a file of a few kilobytes can claim billions of pixels. */
const MAX_PIXELS = 50_000_000;
/** Longest side of a stored picture. */
const MAX_SIDE = 2_560;

const SIGNATURES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  jpeg: (bytes) => bytes.readUIntBE(0, 3) === 0xffd8ff,
  png: (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n',
  webp: (bytes) =>
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};
const MIN_BYTES = 16;

// One at a time: a picture of fifty megapixels takes a few hundred megabytes.
const queue = new SerialQueue();

/**
 * Re-encodes a JPEG, PNG or WebP as an upright JPEG without metadata or anything else in the file.
 * Throws a Refusal.
 */
export function reencode(bytes: Buffer): Promise<Buffer> {
  const format = formatOf(bytes);
  if (!format) throw new Refusal(CODE_REFUSED, 'server.pictureUnsupported');
  return queue.run(async () => {
    const options = { failOn: 'error', limitInputPixels: MAX_PIXELS, pages: 1 } as const;
    await check(bytes, format);
    const { default: sharp } = await import('sharp');
    try {
      return await sharp(bytes, options)
        .autoOrient()
        .resize({
          width: MAX_SIDE,
          height: MAX_SIDE,
          fit: 'inside',
          withoutEnlargement: true,
        })
        .flatten({ background: 'white' })
        .jpeg({ quality: 85, chromaSubsampling: '4:4:4' })
        .timeout({ seconds: 20 })
        .toBuffer();
    } catch {
      throw new Refusal(CODE_REFUSED, 'server.pictureBroken');
    }
  });
}

/** Recognises the format by content, whatever the name; other formats never reach a decoder. */
function formatOf(bytes: Buffer): string | undefined {
  if (bytes.length < MIN_BYTES) return undefined;
  return Object.keys(SIGNATURES).find((format) => SIGNATURES[format]?.(bytes));
}

/** Reads only the header. */
async function check(bytes: Buffer, expected: string): Promise<void> {
  const { default: sharp } = await import('sharp');
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Refusal(CODE_REFUSED, 'server.pictureBroken');
    });
  if (format !== expected) throw new Refusal(CODE_REFUSED, 'server.pictureUnsupported');
  if (width * height > MAX_PIXELS) throw new Refusal(CODE_REFUSED, 'server.pictureTooLarge');
}
