import { expect, it } from 'vitest';
import { isFailedElsewhere } from '#domain/worker/failed';
import { reportRejections } from '../../workers/app/failures';

/** A worker's scope, as far as rejections need it. */
class Scope extends EventTarget {
  readonly posted: unknown[] = [];
  readonly postMessage = (message: unknown) => this.posted.push(message);
}

const told = (reason: unknown) => {
  const scope = new Scope();
  reportRejections(scope as never);
  scope.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
  return scope.posted;
};

it('the page hears of a rejection that nobody handles', () => {
  const error = new RangeError('not a decimal');
  const { name, message, stack } = error;
  expect(told(error)).toEqual([{ failed: { name, message, stack } }]);
  expect(told(error).every(isFailedElsewhere)).toBe(true);
});

it('of what is no error it hears the type only', () => {
  expect(told('a secret')).toEqual([
    { failed: { name: 'Error', message: 'thrown string', stack: '' } },
  ]);
});

it.each([null, undefined, 'failed', new Float64Array(3), { id: 1 }])(
  '%j, as the worker posts it, is none',
  (data) => expect(isFailedElsewhere(data)).toBe(false),
);
