import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDispatch } from '../../../workers/connection/dispatch';

function dispatch() {
  const logged: unknown[] = [];
  const warned: unknown[] = [];
  const handled: unknown[] = [];
  const created = createDispatch({
    log: (...line) => logged.push(line),
    warn: (...line) => warned.push(line),
  });
  created.on('DAY_MARKET', (payload) => handled.push(payload));
  return { ...created, logged, warned, handled };
}

describe('messages', () => {
  it.each([
    '',
    '{',
    'undefined',
    '{"type":"DAY_MARKET"',
    "{'type':'DAY_MARKET'}",
    new ArrayBuffer(8),
    new Blob(['{"type":"DAY_MARKET"}']),
    undefined,
    null,
    42,
    `{"type":"DAY_MARKET","data":"${'x'.repeat(16_000_000)}"}`,
  ])('that are not JSON text are logged and dropped (%#)', (data) => {
    const { receive, logged, warned, handled } = dispatch();
    receive(data);
    expect([logged.length, warned.length, handled.length]).toEqual([1, 0, 0]);
    expect(JSON.stringify(logged).length).toBeLessThan(500);
  });

  it.each([
    'null',
    '1',
    '"DAY_MARKET"',
    '[]',
    '{}',
    '{"type":1}',
    '{"type":null}',
    '{"data":[]}',
    '[{"type":"DAY_MARKET"}]',
  ])('without a type are warned about and dropped: %s', (text) => {
    const { receive, logged, warned, handled } = dispatch();
    receive(text);
    expect([logged.length, warned.length, handled.length]).toEqual([0, 1, 0]);
  });

  it.each(['{"type":"NEWS"}', '{"type":"__proto__"}', '{"type":"constructor"}', '{"type":""}'])(
    'of an unknown type are ignored: %s',
    (text) => {
      const { receive, logged, warned, handled } = dispatch();
      receive(text);
      expect([logged.length, warned.length, handled.length]).toEqual([0, 0, 0]);
    },
  );

  it('go to the handler of their type', () => {
    const { receive, off, handled } = dispatch();
    receive('{"type":"DAY_MARKET","data":[1]}');
    off('DAY_MARKET');
    receive('{"type":"DAY_MARKET","data":[2]}');
    expect(handled).toEqual([[1]]);
  });

  it('never throw, whatever they are', () => {
    const { receive } = dispatch();
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), fc.string({ unit: 'binary' })), (data) =>
        receive(data),
      ),
    );
  });
});
