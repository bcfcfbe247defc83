import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountName } from '../../../server/account/otherEngines';
import { AskedEngines } from '../../../server/cluster/askedEngines';
import { fromJson, SUBJECTS, toJson } from '../../../server/cluster/bus';
import type { Database } from '../../../server/db/database';
import { users } from '../../../server/db/schema';
import { DatabaseUnavailable } from '../../../server/db/unavailable';
import { emptyDatabase } from '../support/database';
import { TestServer } from '../support/testServer';
import { FakeBroker, type FakeBus } from './fakeBus';

/** Delivers at once. */
class SwiftBroker extends FakeBroker {
  override ask(from: FakeBus, subject: string, data: Uint8Array): Promise<Uint8Array> {
    const answer = super.ask(from, subject, data);
    this.deliver();
    return answer;
  }
}

describe('the engine of a name', () => {
  const broker = new SwiftBroker();
  const gateway = broker.connect();
  const buses = new Map<number, FakeBus>();
  const engines = new Map<number, AskedEngines>();
  const databases: Database[] = [];

  beforeAll(async () => {
    for (const index of [1, 2, 3]) {
      const database = await emptyDatabase();
      const bus = broker.connect();
      const shard = { index, count: 3 };
      const engine = new AskedEngines({
        ...{ bus, shard, db: database.db, open: [2, 3], solve: () => false },
      });
      engine.start();
      buses.set(index, bus);
      engines.set(index, engine);
      databases.push(database);
      await database.db.insert(users).values({
        ...{ uid: `${index}`, isDemo: false, createdAt: new Date(0) },
        ...{ email: `${index}@example.com`, mobile: index === 3 ? '3333612345679' : '' },
      });
    }
  });
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  const email = (value: string): AccountName => ({ kind: 'email', value });
  const place = async (name: AccountName) =>
    fromJson<number>(await gateway.ask(SUBJECTS.place, toJson(name)));
  /** The engines that may create an account of this name. */
  const placesOf = async (name: AccountName) => {
    const places: number[] = [];
    for (const [index, engine] of engines) if (await engine.isPlaceOf(name)) places.push(index);
    return places;
  };

  it('is the one that has it, also one that is closed to new accounts', async () => {
    for (const index of [1, 2, 3]) {
      expect(await place(email(`${index}@example.com`))).toBe(index);
      expect(await placesOf(email(`${index}@example.com`))).toEqual([index]);
    }
  });

  it('is that of a number in a former form', async () => {
    const number: AccountName = { kind: 'mobile', value: '33612345679' };
    expect(await place(number)).toBe(3);
    expect(await placesOf(number)).toEqual([3]);
  });

  it('is always the same one of those that are open, where nobody has it', async () => {
    const found = new Set<number>();
    for (let count = 0; count < 20; count++) {
      const name = email(`new${count}@example.com`);
      const at = await place(name);
      expect(await placesOf(name)).toEqual([at]);
      found.add(at);
    }
    expect([...found].sort()).toEqual([2, 3]);
  });

  it('is not guessed while an engine that may have it is silent', async () => {
    const silent = buses.get(3) as FakeBus;
    silent.connected = false;
    expect(await place(email('2@example.com'))).toBe(2);
    for (const name of [email('3@example.com'), email('new@example.com')]) {
      await expect(place(name)).rejects.toThrow('timeout');
      await expect(engines.get(1)?.isPlaceOf(name)).rejects.toThrow(DatabaseUnavailable);
      await expect(engines.get(2)?.isPlaceOf(name)).rejects.toThrow(DatabaseUnavailable);
    }
    silent.connected = true;
    expect(await place(email('3@example.com'))).toBe(3);
  });
});

it('an engine creates no account that another one has', async () => {
  const database = await emptyDatabase();
  const broker = new SwiftBroker();
  let has = true;
  broker.connect().answer(SUBJECTS.has(2), () => toJson(has));
  const role = ['--role', 'engine', '--bus', 'nats://127.0.0.1:1', '--shard', '1/2'];
  const server = await TestServer.open(database.db, {
    bus: broker.connect(),
    args: [...role, '--new-accounts', '1', '--no-traders'],
  });
  const email = 'ada@example.com';
  const openDemo = () => server.get(`/api/user/createAccountDemoForU?demo_id=${randomUUID()}`);
  await server.sendCode(email, 1);
  expect(await server.register(email)).toMatchObject({
    msg: 'There is already an account with this address',
  });
  expect(await openDemo()).toMatchObject({ status: 503 });
  expect(await database.db.$count(users)).toBe(0);
  has = false;
  expect(await server.register(email)).toMatchObject({ code: 1 });
  expect(await openDemo()).toMatchObject({ code: 1 });
  await server.close();
  await database.close();
});
