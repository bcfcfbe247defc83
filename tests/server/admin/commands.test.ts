import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startAdminServer } from '../../../server/admin/adminServer';
import { type AdminParts, runCommand } from '../../../server/admin/commands';
import { errorsCommand } from '../../../server/clientErrors/command';
import type { Db } from '../../../server/db/database';
import { RecordingLog } from '../market/recordingListener';
import { admin } from './adminCommand';

const operator = { name: 'test', confirmed: false };

it.each([['news', 'Title'], ['errors']])(
  'what the first engine has for all is refused at another one: %s',
  async (...words) => {
    const parts = { shard: 2, commands: [errorsCommand({} as Db, 2)] } as unknown as AdminParts;
    const { signal } = new AbortController();
    await expect(runCommand(parts, operator, words, '<p>Text</p>', signal)).rejects.toThrow(
      `${words[0]} is engine 1's: use its --data.`,
    );
  },
);

it('a stop ends a command between its steps', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fulcrum-'));
  let begun = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const close = await startAdminServer(
    directory,
    async (_operator, _args, _input, stopping) => {
      begun();
      for (;;) {
        stopping.throwIfAborted();
        await new Promise(setImmediate);
      }
    },
    new RecordingLog(),
  );
  const asked = admin(directory, ['replay']);
  await running;
  await close();
  expect(await asked).toEqual({
    code: 1,
    out: 'The server stops: repeat this with the next one.',
  });
  await rm(directory, { recursive: true });
});
