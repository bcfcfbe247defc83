import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  role: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  failed: boolean;
  facts: Record<string, unknown>;
}

/** A collector of traces on loopback: OTLP over HTTP, as JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Whether it takes what is sent. */
  taking = true;
  private readonly server: Server;

  private constructor() {
    this.server = createServer(async (request, response) => {
      const body = await text(request);
      if (!this.taking || request.url !== '/v1/traces') {
        response.writeHead(400).end();
        return;
      }
      this.spans.push(...spansOf(JSON.parse(body)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }

  static async open(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

interface Message {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: Attribute[];
}

function spansOf({ resourceSpans }: Message): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, status, attributes }) => ({
        role: String(factsOf(resource.attributes)['fulcrum.role']),
        traceId,
        spanId,
        parentSpanId,
        name,
        failed: status.code === 2,
        facts: factsOf(attributes),
      })),
    ),
  );
}

function factsOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

/** The value without the name of its type; whole numbers may come as text. */
function plain(value: Record<string, unknown>): unknown {
  const [[type = '', inner] = []] = Object.entries(value);
  if (type === 'arrayValue') {
    return (inner as { values?: Record<string, unknown>[] }).values?.map(plain) ?? [];
  }
  return type === 'intValue' ? Number(inner) : inner;
}
