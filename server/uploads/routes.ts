import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import * as api from '#domain/api/account';
import { milliseconds } from '#domain/api/params';
import { parse } from '#domain/api/schema';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';
import { PICTURE_PATH, type Pictures } from './pictures';
import { UploadPlaces } from './uploadPlaces';

/** Size limit of an upload (protocol.md#uploads). */
const MAX_BYTES = 8 * 1024 * 1024;

/** Uploads of pictures, and their download by owner or signed address. */
export async function uploadRoutes(app: FastifyInstance, pictures: Pictures): Promise<void> {
  // In its own scope: no other call accepts multipart.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: MAX_BYTES, files: 1, fields: 10, fieldSize: 1024, parts: 11 },
    });
    const places = new UploadPlaces();
    route(scope, api.uploadPicture, {
      async handler({ request, caller }) {
        const leave = places.take(caller, request.countedAddress);
        try {
          const id = await pictures.add(caller.userId, await fileOf(request));
          return { url: pictures.sign(id, originOf(request)) };
        } finally {
          leave();
        }
      },
    });
  });

  const signed = v.object({ expires: milliseconds, signature: v.string() });
  app.get<{ Params: { id: string } }>(`${PICTURE_PATH}:id`, async (request, reply) => {
    const { id } = request.params;
    const query = parse(signed, request.query);
    const open =
      (query?.expires && pictures.isSigned(id, query.expires, query.signature)) ||
      (await isOwner(app, pictures, id, request.headers.authorization));
    const picture = open ? await pictures.read(id) : undefined;
    // Pictures of others, expired addresses and unknown ids get the same answer.
    if (!picture) return reply.callNotFound();
    return (
      reply
        .header('content-type', 'image/jpeg')
        .header('content-disposition', 'inline; filename="picture.jpg"')
        // Any page with the address may show the picture: the page of a fallback host is on another site.
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(picture)
    );
  });
}

/**
 * The origin that the request was sent to, as `https://api.example.com`: pages of other hosts show
 * pictures too.
 */
export function originOf({ protocol, host }: FastifyRequest): string {
  return /^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i.test(host) ? `${protocol}://${host}` : '';
}

async function fileOf(request: FastifyRequest): Promise<Buffer> {
  const part = request.isMultipart() ? await readable(request.file()) : undefined;
  if (!part) throw new Refusal(CODE_REFUSED, 'server.pictureMissing');
  const bytes = await readable(part.toBuffer());
  // The plugin does not report data cut off after the last chunk that it reads.
  if (part.file.truncated) throw Object.assign(new Error('too large'), { statusCode: 413 });
  return bytes;
}

/** An incomplete or missing form is malformed; the parser's own errors have no status. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw (error as { statusCode?: number }).statusCode ? error : Refusal.malformed('file');
  }
}

async function isOwner(
  app: FastifyInstance,
  pictures: Pictures,
  id: string,
  token: string | undefined,
): Promise<boolean> {
  const caller = token ? await app.authenticate(token) : undefined;
  return caller !== undefined && (await pictures.isOwner(id, caller.userId));
}
