import { expect, it } from 'vitest';
import { AccountLeaving, AccountMoved, Departures } from '../../../server/account/departures';

const USER = 7;

it('lets calls that run end, and refuses new ones', async () => {
  const departures = new Departures();
  let end = () => {};
  const call = departures.during(USER, () => new Promise<void>((resolve) => (end = resolve)));
  let idle = false;
  const begun = departures.begin(USER).then(() => {
    idle = true;
  });
  await expect(departures.during(USER, () => 1)).rejects.toThrow(AccountLeaving);
  expect(await departures.during(8, () => 1)).toBe(1);
  // What runs may change things still.
  departures.checkChange(USER);
  expect(idle).toBe(false);
  end();
  await Promise.all([call, begun]);
  expect(() => departures.checkChange(USER)).toThrow(AccountLeaving);
});

it('a call that fails has ended too', async () => {
  const departures = new Departures();
  let fail = (_error: Error) => {};
  const call = departures.during(USER, () => new Promise((_, reject) => (fail = reject)));
  const begun = departures.begin(USER);
  fail(new Error('on purpose'));
  await expect(call).rejects.toThrow('on purpose');
  await begun;
});

it('says where an account is that has left, until it comes back', async () => {
  const departures = new Departures();
  await departures.begin(USER);
  departures.end(USER, 3);
  expect(() => departures.check(USER)).toThrow(AccountMoved);
  expect(() => departures.check(USER)).toThrow('engine 3');
  departures.stay(USER);
  expect(await departures.during(USER, () => 1)).toBe(1);
});
