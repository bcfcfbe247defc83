import { expect, it } from 'vitest';
import * as api from '#domain/api/common';
import { success } from '#domain/core/result';
import { createHttp } from '../../../workers/http/client';
import { createServerFeatures } from '../../../workers/http/serverFeatures';
import { FakeClock } from '../support/fakeClock';
import { ScriptedHttp } from '../support/scriptedHttp';

function open() {
  const server = new ScriptedHttp();
  const clock = new FakeClock();
  const http = createHttp({
    base: () => 'http://server',
    clock,
    language: () => 'en',
    token: () => '',
    emit: () => {},
    signedOut: () => {},
    serverFeatures: async () => success([]),
    serverTime: () => undefined,
    adapter: server.adapter,
  });
  const found: (readonly string[])[] = [];
  const features = createServerFeatures(
    clock,
    http,
    () => () => {},
    (names) => found.push(names),
  );
  const list = (...names: string[]) =>
    server.on(api.basicInfo.path, () => ({ data: { features: names } }));
  return { server, clock, http, features, found, list };
}

it('are asked for once, and again of a server that may be another one', async () => {
  const { server, features, list } = open();
  expect(features.known()).toBeUndefined();
  list('compact');
  expect(await features.ask()).toEqual(success(['compact']));
  list('alerts');
  expect(await features.ask()).toEqual(success(['compact']));
  expect(server.asked).toHaveLength(1);
  features.forget();
  expect(features.known()).toBeUndefined();
  expect(await features.ask()).toEqual(success(['alerts']));
  expect(features.known()).toEqual(['alerts']);
});

it('are found out soon after the start, also where a call has asked before', async () => {
  const { server, clock, features, found, list } = open();
  list('compact');
  features.listener.started?.({} as never);
  await features.ask();
  expect(found).toEqual([]);
  await clock.advance(3_000);
  expect(found).toEqual([['compact']]);
  expect(server.asked).toHaveLength(1);
});

it('are asked for until the server tells them', async () => {
  const { server, clock, features, found, list } = open();
  server.on(api.basicInfo.path, () => ({ fault: 'ERR_NETWORK' }));
  features.listener.started?.({} as never);
  await clock.advance(60_000);
  expect(found).toEqual([]);
  list('alerts');
  await clock.advance(15_000);
  expect(found).toEqual([['alerts']]);
  const asked = server.asked.length;
  expect(asked).toBeLessThan(12);
  await clock.advance(60_000);
  expect(server.asked).toHaveLength(asked);
});

it('requests are named for the log of a server that takes names, each by another one', async () => {
  const { server, http, features, list } = open();
  const names = async () => {
    server.asked.length = 0;
    await http.call(api.appStatus, {}, () => null);
    await http.call(api.appStatus, {}, () => null);
    return server.asked.map(({ headers }) => headers['x-request-id']);
  };
  expect(await names()).toEqual([undefined, undefined]);
  list('request_id');
  await features.ask();
  const [first, second] = await names();
  expect(first).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(second).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(second).not.toBe(first);
  list('compact');
  features.forget();
  // Nor is the call that finds it out, which such a server may refuse.
  expect(await names()).toEqual([undefined, undefined]);
  await features.ask();
  expect(await names()).toEqual([undefined, undefined]);
});
