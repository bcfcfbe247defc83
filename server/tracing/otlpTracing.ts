import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type Context,
  isValidTraceId,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import type { Span, SpanFacts, Tracing } from '../core/trace';

/**
 * Traces for a collector that speaks OTLP over HTTP. Nothing is registered globally: a test runs several servers in one
 * process.
 */
export class OtlpTracing implements Tracing {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;
  private readonly ids = new RequestIds();
  private readonly running = new AsyncLocalStorage<TracedSpan>();

  constructor(address: string, role: string, log: Log) {
    const url = `${address.replace(/\/$/, '')}/v1/traces`;
    this.provider = new BasicTracerProvider({
      idGenerator: this.ids,
      resource: resourceFromAttributes({ 'service.name': 'fulcrum', 'fulcrum.role': role }),
      // A stranger's traceparent does not decide what is recorded; OTEL_TRACES_SAMPLER replaces this.
      ...(process.env['OTEL_TRACES_SAMPLER'] ? {} : { sampler: new AlwaysOnSampler() }),
      spanProcessors: [
        new BatchSpanProcessor(tellingFailures(new OTLPTraceExporter({ url }), log)),
      ],
    });
    this.tracer = this.provider.getTracer('fulcrum');
  }

  request(name: string, id: string, traceparent: string | undefined, facts: SpanFacts): Span {
    const parent = contextOf(traceparent);
    this.ids.next = id.replaceAll('-', '');
    return this.start(name, SpanKind.SERVER, parent, facts);
  }

  present(): Span | undefined {
    return this.running.getStore();
  }

  received(name: string, traceparent: string): Span {
    return this.start(name, SpanKind.CONSUMER, contextOf(traceparent), {});
  }

  traceparent(span: Span): string {
    const { traceId, spanId, traceFlags } = (span as TracedSpan).inner.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  async close(): Promise<void> {
    // A collector that is away must not keep the server from stopping.
    await this.provider.shutdown().catch(() => {});
  }

  private start(name: string, kind: SpanKind, parent: Context, attributes: SpanFacts): Span {
    const options = { kind, attributes: { ...attributes } };
    return new TracedSpan(
      this.tracer.startSpan(name, options, parent),
      this.running,
      (part, facts, of) => this.start(part, SpanKind.INTERNAL, of, facts),
    );
  }
}

class TracedSpan implements Span {
  readonly inner: OtelSpan;
  private readonly running: AsyncLocalStorage<TracedSpan>;
  private readonly begin: (name: string, facts: SpanFacts, parent: Context) => Span;

  constructor(
    inner: OtelSpan,
    running: AsyncLocalStorage<TracedSpan>,
    begin: (name: string, facts: SpanFacts, parent: Context) => Span,
  ) {
    this.inner = inner;
    this.running = running;
    this.begin = begin;
  }

  child(name: string, facts: SpanFacts = {}): Span {
    return this.begin(name, facts, trace.setSpan(ROOT_CONTEXT, this.inner));
  }

  add(facts: SpanFacts): void {
    this.inner.setAttributes({ ...facts });
  }

  run<T>(action: () => T): T {
    return this.running.run(this, action);
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.inner.setStatus({ code: SpanStatusCode.ERROR });
      // The message of an error may quote what a user has sent.
      this.inner.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    }
    this.inner.end();
  }
}

function contextOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** A trace is named by the id of its request. */
class RequestIds implements IdGenerator {
  next = '';

  generateTraceId(): string {
    const { next } = this;
    this.next = '';
    return isValidTraceId(next) ? next : randomBytes(16).toString('hex');
  }

  generateSpanId(): string {
    return randomBytes(8).toString('hex');
  }
}

/** Says once that the collector is away, and once that it is back. */
function tellingFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !failing) log.warn(`traces are not taken: ${errorText(result.error)}`);
        if (!failed && failing) log.info('traces are taken again');
        failing = failed;
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
