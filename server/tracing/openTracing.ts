import type { Config } from '../config/config';
import type { Log } from '../core/log';
import type { Tracing } from '../core/trace';

/** Undefined without --otlp: then none of its code is loaded. */
export async function openTracing({ otlp, role }: Config, log: Log): Promise<Tracing | undefined> {
  if (!otlp) return undefined;
  const { OtlpTracing } = await import('./otlpTracing');
  return new OtlpTracing(otlp, role, log);
}
