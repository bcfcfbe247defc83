import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Places } from '../../../server/cluster/directories';
import { onEachDatabase } from '../support/database';

onEachDatabase((database) => {
  it('an account whose number is in the directory in a former form is found, and its number is nobody else’s', async () => {
    const places = new Places(database.db, randomBytes(32), [1, 2]);
    const name = (value: string) => ({ kind: 'mobile' as const, value });
    const [number, former] = ['33612345679', '3333612345679'];
    await places.relocate({ names: [name(former)], shard: 7 });
    expect(await places.of(name(number))).toBe(7);
    expect(await places.claim({ name: name(number), shard: 2 })).toBe(false);
    expect(await places.claim({ name: name(number), shard: 7 })).toBe(true);
    // Moved, by the number that it is stored with.
    await places.relocate({ names: [name(former)], shard: 2 });
    expect(await places.of(name(number))).toBe(2);
  });
});
