import type { Picture } from '#domain/worker/account';

/** Longest side of the uploaded picture, px: documents stay legible. */
const LONGEST_SIDE = 2048;
const QUALITY = 0.85;

/**
 * Re-encodes a picture file: upright, scaled down and without metadata such as its location.
 * Rejects where the browser can't read the file.
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
    // JPEG has no transparency; without this, transparent areas turn black.
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
