import { expect, it } from 'vitest';
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
});

it('of what is no error it hears the type only', () => {
  expect(told('a secret')).toEqual([
    { failed: { name: 'Error', message: 'thrown string', stack: '' } },
  ]);
});
