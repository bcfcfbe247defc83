import { expect, it } from 'vitest';
import * as api from '#domain/api/common';
import { success } from '#domain/core/result';
import { createHttp } from '../../../workers/http/client';
import { features } from '../../../workers/http/common';
import { FakeClock } from '../support/fakeClock';
import { ScriptedHttp } from '../support/scriptedHttp';

it('requests are named for the log of a server that takes names, each by another one', async () => {
  const server = new ScriptedHttp();
  const http = createHttp({
    base: () => 'http://server',
    clock: new FakeClock(),
    language: () => 'en',
    token: () => '',
    emit: () => {},
    signedOut: () => {},
    serverFeatures: async () => success([]),
    adapter: server.adapter,
  });
  const names = async () => {
    server.asked.length = 0;
    await http.get(api.appStatus, {}, () => null);
    await http.get(api.appStatus, {}, () => null);
    return server.asked.map(({ headers }) => headers['x-request-id']);
  };
  expect(await names()).toEqual([undefined, undefined]);
  server.on(api.basicInfo.path, () => ({ data: { features: ['request_id'] } }));
  await features(http);
  const [first, second] = await names();
  expect(first).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(second).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(second).not.toBe(first);
  server.on(api.basicInfo.path, () => ({ data: { features: ['compact'] } }));
  await features(http);
  expect(await names()).toEqual([undefined, undefined]);
});
