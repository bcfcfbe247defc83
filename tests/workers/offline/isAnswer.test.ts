import { expect, it } from 'vitest';
import { isAnswer } from '../../../workers/offline/isAnswer';

const redirect = Object.defineProperties(new Response(null), {
  type: { value: 'opaqueredirect' },
  status: { value: 0 },
});

it.each([
  ['the page', new Response('<!doctype html>'), true],
  ['a page that was not changed', new Response(null, { status: 304 }), true],
  ['a refusal', new Response('', { status: 403 }), true],
  ['a redirect', redirect, true],
  ['a proxy without its server', new Response('', { status: 502 }), false],
  ['a preload without a network', Response.error(), false],
])('knows whether %s is an answer of the server', (_name, response, answers) => {
  expect(isAnswer(response)).toBe(answers);
});
