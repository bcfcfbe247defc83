import { describe, expect, it } from 'vitest';
import { createJsonLog } from '../../../server/log/jsonLog';

describe('the log as JSON lines', () => {
  const lines: Record<string, unknown>[] = [];
  const log = createJsonLog({ write: (line) => void lines.push(JSON.parse(line)) });

  it('has level, time and text', () => {
    log.info('listening');
    log.warn('slow');
    log.error('a fault\nwith a stack');
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['info', 'listening'],
      ['warn', 'slow'],
      ['error', 'a fault\nwith a stack'],
    ]);
    for (const { time } of lines) expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('has the fields of an event, but no secret', () => {
    log.event?.('request', {
      requestId: 'r',
      token: 'a secret',
      headers: { authorization: 'a secret', cookie: 'a secret', lang: 'en' },
      form: { password: 'a secret', code: 'a secret' },
    });
    const line = lines.at(-1);
    expect(line).toMatchObject({ msg: 'request', requestId: 'r', headers: { lang: 'en' } });
    expect(JSON.stringify(line)).not.toContain('a secret');
    expect(line).toMatchObject({ token: '[redacted]', form: { password: '[redacted]' } });
  });
});
