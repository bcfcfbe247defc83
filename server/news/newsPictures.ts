import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Parser } from 'htmlparser2';
import { escapeHtml } from '../core/escapeHtml';
import { translate } from '../core/translate';
import { Refusal } from '../http/refusal';
import { reencode } from '../uploads/reencode';
import { NotFetched } from './pictureFetch';

const PATH = '/api/news/picture/';
const STORED = new RegExp(`(<img src=")(${PATH})`, 'g');
const ID = /^[\w-]{43}$/;
const YEAR_SECONDS = 31_536_000;

export interface NewsPicturesOptions {
  directory: string;
  /** As `fetchPicture`. */
  fetch(address: string): Promise<Buffer>;
}

/**
 * The pictures of articles, fetched once and stored here, so that no other host sees who
 * reads what.
 */
export class NewsPictures {
  private readonly options: NewsPicturesOptions;

  constructor(options: NewsPicturesOptions) {
    this.options = options;
  }

  /** The HTML with its pictures kept here. Throws NotFetched. */
  async storeAll(html: string): Promise<string> {
    const found: { start: number; end: number; src: string; alt: string }[] = [];
    const parser = new Parser({
      onopentag(name, { src = '', alt = '' }) {
        if (name !== 'img') return;
        found.push({ start: parser.startIndex, end: parser.endIndex + 1, src, alt });
      },
    });
    parser.end(html);
    let kept = '';
    let at = 0;
    for (const { start, end, src, alt } of found) {
      const address = await this.store(src.trim());
      kept += `${html.slice(at, start)}<img src="${address}" alt="${escapeHtml(alt)}">`;
      at = end;
    }
    return kept + html.slice(at);
  }

  /** The address of a picture of ours is of the host that was asked: a page of another host shows it too. */
  withOrigin(html: string, origin: string): string {
    return html.replace(STORED, `$1${origin}$2`);
  }

  routes(app: FastifyInstance): void {
    app.get<{ Params: { id: string } }>(`${PATH}:id`, async ({ params: { id } }, reply) => {
      const picture = ID.test(id) ? await this.read(id) : undefined;
      if (!picture) return reply.callNotFound();
      return reply
        .header('content-type', 'image/jpeg')
        .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(picture);
    });
  }

  private async store(address: string): Promise<string> {
    const picture = await encoded(address, await this.options.fetch(address));
    const id = createHash('sha256').update(picture).digest('base64url');
    await mkdir(this.options.directory, { recursive: true, mode: 0o700 });
    await writeFile(this.file(id), picture, { mode: 0o600, flush: true });
    return PATH + id;
  }

  private async read(id: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.file(id));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  private file(id: string): string {
    return join(this.options.directory, `${id}.jpg`);
  }
}

async function encoded(address: string, bytes: Buffer): Promise<Buffer> {
  try {
    return await reencode(bytes);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new NotFetched(`${address}: ${translate('en', error.key, error.params)}`);
  }
}
