import sharp, { type Sharp } from 'sharp';

/** A picture with content: a blank one would compress to nothing. */
export function drawing(width = 640, height = 400): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#ccd"/>
    <rect width="50%" height="50%" fill="#d22"/>
    <circle cx="70%" cy="60%" r="80" fill="#26c"/></svg>`;
  return sharp(Buffer.from(svg));
}

export const jpeg = (width?: number, height?: number): Promise<Buffer> =>
  drawing(width, height).jpeg().toBuffer();

/** A form as a browser sends it. */
export function formOf(
  bytes: Buffer,
  { name = 'photo.jpg', type = 'image/jpeg', field = 'file' } = {},
): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}

export async function upload(
  url: string,
  token: string,
  body: FormData | string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${url}/api/common/image_upload`, {
    method: 'POST',
    headers: { authorization: token, lang: 'en', ...headers },
    body,
  });
  return { status: response.status, ...(await response.json()) };
}
