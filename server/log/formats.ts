import { type DestinationStream, destination, pino } from 'pino';
import { escapeControls } from '#domain/core/text';
import type { Log } from '../core/log';

/** Fields that never reach a log, whoever passes them, at the top or one level below. */
const SECRETS = ['token', 'authorization', 'password', 'secret', 'code', 'cookie'];

/** A log for programs: one JSON object a line (operations.md#logs). Written at once, so that an exit loses none. */
export function createJsonLog(to: DestinationStream = destination({ fd: 1, sync: true })): Log {
  const lines = pino(
    {
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    to,
  );
  return {
    info: (text) => lines.info(text),
    warn: (text) => lines.warn(text),
    error: (text) => lines.error(text),
    event: (name, fields) => lines.info(fields, name),
  };
}

/** The same log for people: time, text and fields, on stderr what is wrong. */
export function createTextLog(to: Pick<Console, 'info' | 'error'> = console): Log {
  return createJsonLog({
    write(line) {
      const { level, time, msg, ...fields } = JSON.parse(line);
      const words = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
      const text = [time, msg, ...words].join(' ');
      if (level === 'info') to.info(text);
      else to.error(text);
    },
  });
}

/** Users choose some values: none may forge a field or a line. */
function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[\w./:-]+$/.test(value);
  return isPlain ? value : escapeControls(JSON.stringify(value));
}
