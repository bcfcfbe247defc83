import { describe, expect, it } from 'vitest';
import { basicInfo } from '#domain/api/common';
import { parse } from '#domain/api/schema';

const readBasicInfo = (sent: unknown) => parse(basicInfo.answer, sent);

describe('the fee type', () => {
  it.each([
    [1, 'per-lot'],
    ['1', 'per-lot'],
    [2, 'rate'],
    [0, 'rate'],
  ])('by trade_fee_type %j is %s (domain.md#fee)', (type, feeType) => {
    expect(readBasicInfo({ trade_fee_type: type })?.feeType).toBe(feeType);
  });

  it.each([undefined, null, '', 'much'])('of trade_fee_type %j is not known', (type) => {
    expect(readBasicInfo({ trade_fee_type: type })?.feeType).toBeUndefined();
  });
});

it.each([
  [1, 1],
  ['1', 1],
  [2, 2],
  ['2', 2],
  [0, 0],
  [3, 0],
  [1.5, 0],
  [-1, 0],
  ['', 0],
  [null, 0],
  [undefined, 0],
])('fill_at_quote %j is what bid and ask decide: %j', (sent, quoteFill) => {
  expect(readBasicInfo({ fill_at_quote: sent })).toMatchObject({ quoteFill });
});

it.each([
  [1_767_571_200_000, 1_767_571_200_000],
  ['1767571200000', 1_767_571_200_000],
  [0, undefined],
  [1e17, undefined],
  ['now', undefined],
  [undefined, undefined],
])('wall %j is the time %j of the server', (sent, wall) => {
  expect(readBasicInfo({ wall: sent })).toMatchObject({ wall });
});

describe('the features', () => {
  it.each([
    [
      ['otp', 'push'],
      ['otp', 'push'],
    ],
    [['otp', null, {}], ['otp']],
    [undefined, []],
    [null, []],
    ['otp', []],
  ])('of %j are %j', (features, read) => {
    expect(readBasicInfo({ features })?.features).toEqual(read);
  });
});

describe('the chat', () => {
  const url = 'https://chat.example';
  it.each([
    [1, url, { place: 'inside', url }],
    ['2', ` ${url} `, { place: 'window', url }],
    [0, url, undefined],
    [3, url, undefined],
    [undefined, url, undefined],
    [1, 'http://chat.example', undefined],
    [1, 'javascript:alert(1)', undefined],
    [1, 'https://', undefined],
    [1, undefined, undefined],
  ])('of type %j at %j is %j', (service_link_type, service_link, chat) => {
    expect(readBasicInfo({ service_link_type, service_link })?.chat).toEqual(chat);
  });
});

it.each([null, undefined, [], 'x', 1])('nothing is read from %j', (sent) => {
  expect(readBasicInfo(sent)).toBeUndefined();
});
