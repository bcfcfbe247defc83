import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { errorText } from '../../../server/core/errorText';
import { users } from '../../../server/db/schema';
import { onEachDatabase } from '../support/database';

onEachDatabase((database) => {
  it('names query and cause, never the values', async () => {
    const user = { uid: '1', email: 'ada@example.com', isDemo: false, createdAt: new Date() };
    await database.db.insert(users).values(user);
    const broken = [
      database.db.insert(users).values({ ...user, uid: '2' }),
      database.db.execute(sql`select ${user.email}::integer`),
    ];
    const texts = [];
    for (const query of broken) texts.push(errorText(await Promise.resolve(query).catch((e) => e)));
    expect(texts[0]).toMatch(/users_email.* 23505 in insert into "users"/);
    expect(texts[0]).toMatch(/\n +at /);
    expect(texts[1]).toMatch(/^ 22P02 in select \$1::integer/);
    expect(texts.join()).not.toContain('ada@example.com');
  });
});

it('keeps the trace of other errors', () => {
  expect(errorText(new Error('oops'))).toMatch(/^Error: oops\n +at /);
  expect(errorText('oops')).toBe('oops');
});
