import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { generateRequestDetails } from 'web-push';
import { type DurationMs, toDurationMs } from '#domain/core/time';
import { hostOf, INTERNET, isAllowed, type Network, publicLookup } from '../http/publicNetwork';
import type { VapidKeys } from './vapidKeys';

/** Where a message goes, and the keys that only its browser can open it with. */
export interface Recipient {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** A message for a push service. */
export interface Envelope {
  /** What only the browser reads. */
  payload: string;
  /** A message that still waits is replaced by the next one of its topic: at most 32 characters of base64url. */
  topic: string;
  /** How long it is kept for a browser that is not reached. */
  lasts: DurationMs;
}

/** What a push service made of a message; `gone`: the browser takes no more. */
export type Outcome =
  | { type: 'accepted' }
  | { type: 'gone' }
  | { type: 'refused'; reason: string }
  | { type: 'failed'; reason: string; retryAfter: DurationMs | undefined };

const TIMEOUT_MS = toDurationMs(10_000);

/** Sends encrypted messages to the push services of browsers (RFC 8030, 8188, 8291, 8292). */
export class PushService {
  private readonly keys: VapidKeys;
  private readonly subject: string;
  private readonly anywhere: boolean;
  private readonly closing = new AbortController();

  /** `contact`: a mail address for the services' operators. `anywhere`: plain http and private addresses too. */
  constructor(keys: VapidKeys, contact: string, anywhere: boolean) {
    this.keys = keys;
    this.subject = `mailto:${contact}`;
    this.anywhere = anywhere;
  }

  get publicKey(): string {
    return this.keys.publicKey;
  }

  /** Whether messages may go to this address: https on its own port, and not on our own machine or network. */
  mayReach(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false;
    const url = new URL(endpoint);
    if (url.username || url.password) return false;
    if (this.anywhere) return url.protocol === 'https:' || url.protocol === 'http:';
    return url.protocol === 'https:' && url.port === '' && isAllowed(hostOf(url), INTERNET);
  }

  /** Breaks off what is on its way. */
  close(): void {
    this.closing.abort();
  }

  async send(to: Recipient, { payload, topic, lasts }: Envelope): Promise<Outcome> {
    if (!this.mayReach(to.endpoint)) return { type: 'refused', reason: 'address not allowed' };
    const keys = { p256dh: to.p256dh, auth: to.auth };
    let post: () => Promise<Outcome>;
    try {
      const { headers, body } = generateRequestDetails({ endpoint: to.endpoint, keys }, payload, {
        vapidDetails: { subject: this.subject, ...this.keys },
        TTL: Math.ceil(lasts / 1000),
        // All alike: it would tell the service what kind of message it is.
        urgency: 'high',
        topic,
      });
      post = () => this.post(new URL(to.endpoint), headers, body);
    } catch {
      // web-push reads addresses by rules of its own: a host above 255 characters is none for it.
      return { type: 'refused', reason: 'subscription not usable' };
    }
    try {
      return await post();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { type: 'failed', reason: code ?? message, retryAfter: undefined };
    }
  }

  private post(url: URL, headers: Record<string, unknown>, body: Buffer): Promise<Outcome> {
    const plain = url.protocol === 'http:';
    const network: Network = this.anywhere ? { ...INTERNET, isPublic: () => true } : INTERNET;
    const request = plain ? plainRequest : secureRequest;
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: hostOf(url),
        port: url.port || (plain ? 80 : 443),
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...(headers as Record<string, string>), host: url.host },
        agent: false,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.closing.signal]),
        lookup: publicLookup(network),
      });
      outgoing.on('response', (answer) => {
        // What it says beyond its status is of no use, and may be endless.
        answer.destroy();
        resolve(outcomeOf(answer.statusCode ?? 0, answer.headers['retry-after']));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { type: 'accepted' };
  if (status === 404 || status === 410) return { type: 'gone' };
  const reason = `HTTP ${status}`;
  const later = status === 429 || status >= 500;
  if (!later) return { type: 'refused', reason };
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  const wait = seconds === undefined ? undefined : toDurationMs(seconds * 1000);
  return { type: 'failed', reason, retryAfter: wait };
}
