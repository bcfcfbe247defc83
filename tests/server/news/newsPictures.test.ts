import { Parser } from 'htmlparser2';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NewsPictures } from '../../../server/news/newsPictures';
import { NotFetched } from '../../../server/news/pictureFetch';
import { serve } from '../http/testHttp';
import { dataDirectory } from '../support/dataDirectory';
import { drawing } from '../uploads/pictures';

let url: string;
let close: () => Promise<void>;
let bytes: Record<string, Buffer>;
const fetches: string[] = [];
const pictures = new NewsPictures({
  directory: dataDirectory(),
  async fetch(address) {
    fetches.push(address);
    const found = bytes[address];
    if (!found) throw new NotFetched(`${address} answers 404`);
    return found;
  },
});

beforeAll(async () => {
  const photo = await drawing(640, 400)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret' } })
    .toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  bytes = { 'https://cdn.example/a.jpg?x=1&y=2': photo, 'https://cdn.example/b.svg': svg };
  const { url: base, app } = await serve((server) => pictures.routes(server));
  url = base;
  close = () => app.close();
});
afterAll(() => close());

const ADDRESS = 'https://cdn.example/a.jpg?x=1&amp;y=2';

/** The sources of the pictures of an article. */
function sources(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name, { src = '' }) => void (name === 'img' && found.push(src)),
  });
  parser.end(html);
  return found;
}

describe('the pictures of an article', () => {
  it('are fetched once, re-encoded and served by us, and nothing else of the article changes', async () => {
    const html = `<p>a &amp; b</p><IMG class=x onerror="y" src='${ADDRESS}' alt='"A" < B'/><p>c`;
    const kept = await pictures.storeAll(html);
    expect(fetches).toEqual(['https://cdn.example/a.jpg?x=1&y=2']);
    const [source = ''] = sources(kept);
    expect(kept).toBe(`<p>a &amp; b</p><img src="${source}" alt="&#34;A&#34; &#60; B"><p>c`);
    const [absolute = ''] = sources(pictures.withOrigin(kept, url));
    expect(absolute).toBe(url + source);
    const answer = await fetch(absolute);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    const picture = sharp(Buffer.from(await answer.arrayBuffer()));
    const about = await picture.metadata();
    expect(about).toMatchObject({ format: 'jpeg', width: 640 });
    expect(about.exif).toBeUndefined();
  });

  it('are stored once if they are the same', async () => {
    const kept = await pictures.storeAll(`<img src="${ADDRESS}"><img src="${ADDRESS}">`);
    expect(new Set(sources(kept)).size).toBe(1);
  });

  it.each([
    ['that is not there', '<img src="https://cdn.example/none.png">', '404'],
    ['that is no picture', '<img src="https://cdn.example/b.svg">', 'Only JPEG, PNG and WebP'],
    ['without an address', '<img>', '404'],
  ])('refuse their article for one %s', async (_name, html, reason) => {
    await expect(pictures.storeAll(html)).rejects.toThrow(reason);
  });

  it.each(['none', '../secret', `${'a'.repeat(43)}`, `${'a'.repeat(42)}%2f`])(
    'are not found at an address like %s',
    async (id) => {
      expect((await fetch(`${url}/api/news/picture/${id}`)).status).toBe(404);
    },
  );
});
