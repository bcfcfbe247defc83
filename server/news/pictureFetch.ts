import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { hostOf, INTERNET, isAllowed, type Network, publicLookup } from '../http/publicNetwork';

/** As an upload (protocol.md#uploads). */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** Time limit of a fetch: look-up of names, redirects and the picture. */
const TIMEOUT_MS = 15_000;

/** A picture could not be fetched; the message is for the operator. */
export class NotFetched extends Error {}

/**
 * Fetches a picture of an article over https, from public addresses only. The address that is
 * connected to is the one that was checked, also after redirects. Throws NotFetched.
 */
export async function fetchPicture(address: string, network: Network = INTERNET): Promise<Buffer> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await get(url, network, deadline);
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && headers.location) {
      answer.destroy();
      if (!URL.canParse(headers.location, url)) throw new NotFetched(`${url} leads nowhere`);
      url = new URL(headers.location, url).href;
      continue;
    }
    if (statusCode !== 200) {
      answer.destroy();
      throw new NotFetched(`${url} answers ${statusCode}`);
    }
    return bytesOf(answer, url);
  }
  throw new NotFetched(`${address} is redirected more than ${MAX_REDIRECTS} times`);
}

function get(address: string, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  if (!URL.canParse(address)) throw new NotFetched(`${address} is no address`);
  const url = new URL(address);
  if (url.protocol !== 'https:') throw new NotFetched(`${address} is not https`);
  if (url.username || url.password) throw new NotFetched(`${address} holds a password`);
  const host = hostOf(url);
  if (!isAllowed(host, network)) throw new NotFetched(`${address} is not public`);
  const request = network.plain ? plainRequest : secureRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host,
      port: url.port || 443,
      path: url.pathname + url.search,
      headers: { accept: 'image/jpeg, image/png, image/webp', host: url.host },
      agent: false,
      signal,
      lookup: publicLookup(network),
    });
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(new NotFetched(`${address}: ${error.message}`)));
    outgoing.end();
  });
}

async function bytesOf(answer: IncomingMessage, address: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new NotFetched(`${address} is larger than 8 MiB`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof NotFetched) throw error;
    throw new NotFetched(`${address}: ${(error as Error).message}`);
  }
  return Buffer.concat(chunks);
}
