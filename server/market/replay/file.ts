import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The text of a recorded feed from byte `from` on. Gzip is recognised by its first bytes. */
export async function* readText(file: string, from = 0): AsyncGenerator<Uint8Array> {
  if (await isGzip(file)) {
    yield* withoutFirst(from, gunzip(createReadStream(file)));
  } else {
    yield* createReadStream(file, { start: from });
  }
}

/** The whole text, and the hash of the file once all of it was read. */
export async function readAndHash(
  file: string,
): Promise<{ text: AsyncIterable<Uint8Array>; hash: () => string }> {
  const hash = createHash('sha256');
  const raw = hashed(createReadStream(file), hash);
  return { text: (await isGzip(file)) ? gunzip(raw) : raw, hash: () => hash.digest('hex') };
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

function gunzip(raw: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // An error of either stream ends the last one, where the reader gets it.
  return pipeline(raw, createGunzip(), () => {});
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/**
 * Gzip can't be read from the middle. Decompressing is fast; parsing the skipped rows is what this
 * saves.
 */
async function* withoutFirst(
  bytes: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (left >= chunk.length) {
      left -= chunk.length;
    } else {
      yield left > 0 ? chunk.subarray(left) : chunk;
      left = 0;
    }
  }
}
