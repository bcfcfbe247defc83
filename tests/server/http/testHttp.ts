import { request as rawRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../../server/core/clock';
import { createHttp, type HttpOptions } from '../../../server/http/httpServer';
import { Proxies } from '../../../server/http/proxies';
import type { Authenticate } from '../../../server/http/route';

/** Starts an HTTP server with the calls that `register` adds. */
export async function serve(
  register: (app: FastifyInstance) => void,
  { trustProxy = [], ...options }: Partial<HttpOptions> & { trustProxy?: string[] } = {},
  authenticate: Authenticate = async () => undefined,
): Promise<{ url: string; app: FastifyInstance }> {
  const app = await createHttp(
    {
      origins: [],
      title: 'Fulcrum',
      variant: [],
      fallbackHost: '',
      complaintUrl: '',
      vitalsShare: 0,
      requireLatest: false,
      errorsShare: 0,
      proxies: new Proxies(trustProxy, console),
      requestsPerMinute: 0,
      clock: systemClock,
      log: console,
      clientDirectory: join(tmpdir(), 'fulcrum-has-no-client'),
      ...options,
    },
    authenticate,
  );
  register(app);
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), app };
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  text: string;
}

/** Sends a request with headers that `fetch` does not allow (Origin, Host, Sec-Fetch-*). */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = rawRequest(url, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body, text: body.toString() });
      });
    });
    request.on('error', reject);
    request.end(options.body);
  });
}
