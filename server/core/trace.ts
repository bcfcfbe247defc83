/** What a span says about its work. Nothing personal: no token, no address, no text of a user. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | number[] | string[]>>;

/** A piece of work in a trace, while it lasts (operations.md#traces). */
export interface Span {
  /** A part of it, which begins now. */
  child(name: string, facts?: SpanFacts): Span;
  add(facts: SpanFacts): void;
  /** Runs `action` as part of this work: what it sends to other processes belongs to the trace. */
  run<T>(action: () => T): T;
  /** With an error: the work has failed. */
  end(error?: unknown): void;
}

/** Makes traces and sends them; absent where nobody collects them. */
export interface Tracing {
  /** The work on a request. `traceparent` is that of W3C, where the caller has one; otherwise the request's id is the trace's. */
  request(name: string, id: string, traceparent: string | undefined, facts: SpanFacts): Span;
  /** The work in whose `run` this is called. */
  present(): Span | undefined;
  /** Work on what another process has sent with this `traceparent`. */
  received(name: string, traceparent: string): Span;
  /** What another process needs to continue this trace. */
  traceparent(span: Span): string;
  /** Sends what is waiting. */
  close(): Promise<void>;
}
