import type { Picture } from '#domain/gateway/account';

/** Longest side of what is sent, in pixels: a document stays legible. */
const LONGEST_SIDE = 2048;
const QUALITY = 0.85;

/**
 * A picture made anew of what is seen of a file: upright, scaled down, and
 * without metadata such as where it was taken. Rejects what the browser can't
 * read.
 */
export async function preparePicture(file: Blob): Promise<Picture> {
  const seen = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(seen.width, seen.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(seen.width * scale));
    canvas.height = Math.max(1, Math.round(seen.height * scale));
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    // A JPEG knows no transparency: what is clear would turn black.
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(seen, 0, 0, canvas.width, canvas.height);
    const blob = await encode(canvas);
    return { bytes: await blob.arrayBuffer(), type: blob.type };
  } finally {
    seen.close();
  }
}

function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('not encoded'))),
      'image/jpeg',
      QUALITY,
    );
  });
}
