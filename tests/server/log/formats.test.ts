import { describe, expect, it } from 'vitest';
import { createJsonLog, createTextLog } from '../../../server/log/formats';

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const REQUEST = {
  requestId: 'r',
  token: 'a secret',
  headers: { authorization: 'a secret', cookie: 'a secret', lang: 'en' },
  form: { password: 'a secret', code: 'a secret' },
};

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
    for (const { time } of lines) expect(time).toMatch(TIME);
  });

  it('has the fields of an event, but no secret', () => {
    log.event?.('request', REQUEST);
    const line = lines.at(-1);
    expect(line).toMatchObject({ msg: 'request', requestId: 'r', headers: { lang: 'en' } });
    expect(JSON.stringify(line)).not.toContain('a secret');
    expect(line).toMatchObject({ token: '[redacted]', form: { password: '[redacted]' } });
  });
});

describe('the log as text', () => {
  const printed: [stream: string, time: string, text: string][] = [];
  const print = (stream: string) => (line: string) => {
    const end = line.indexOf(' ');
    printed.push([stream, line.slice(0, end), line.slice(end + 1)]);
  };
  const log = createTextLog({ info: print('out'), error: print('err') });

  it('has times, and what is wrong on stderr', () => {
    log.info('listening');
    log.warn('slow');
    log.error('a fault\nwith a stack');
    expect(printed.map(([stream, , text]) => [stream, text])).toEqual([
      ['out', 'listening'],
      ['err', 'slow'],
      ['err', 'a fault\nwith a stack'],
    ]);
    for (const [, time] of printed) expect(time).toMatch(TIME);
  });

  it('has the events too, on one line that nobody can forge, and no secret', () => {
    log.event?.('request', REQUEST);
    log.event?.('posted', {
      route: '/a/b',
      ms: 1.5,
      note: 'a=1\nforged\u202e',
      entries: [{ id: 1 }],
    });
    expect(printed.slice(-2).map(([, , text]) => text)).toEqual([
      'request requestId=r token="[redacted]"' +
        ' headers={"authorization":"[redacted]","cookie":"[redacted]","lang":"en"}' +
        ' form={"password":"[redacted]","code":"[redacted]"}',
      'posted route=/a/b ms=1.5 note="a=1\\nforged\\u{202e}" entries=[{"id":1}]',
    ]);
  });
});
