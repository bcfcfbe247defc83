import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdminCommand, BadCommand } from '../admin/commands';
import type { Config } from '../config/config';
import type { Database } from '../db/database';
import { isRecorded, type Replayed, replay } from './replay';

/** `replay`: plays what was recorded into an empty database, which is removed afterwards. */
export function replayCommand(database: Database, { data }: Pick<Config, 'data'>): AdminCommand {
  let running = false;
  return {
    name: 'replay',
    async run(_operator, _args, stopping) {
      if (running) throw new BadCommand('A replay is running.');
      if (!(await isRecorded(database.db)))
        throw new BadCommand('Nothing is recorded: see --command-days.');
      running = true;
      try {
        return described(await inEmptyDatabase(data, (empty) => replay(database, empty, stopping)));
      } finally {
        running = false;
      }
    },
  };
}

const PREFIX = 'replay-';

/** Removes the databases of processes that were killed. */
export async function removeOldReplays(data: string): Promise<void> {
  const names = await readdir(data).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX)))
    await rm(join(data, name), { recursive: true, force: true });
}

async function inEmptyDatabase<T>(data: string, use: (empty: Database['db']) => Promise<T>) {
  const { openEmbedded } = await import('../db/openEmbedded');
  const directory = await mkdtemp(join(data, PREFIX));
  try {
    const empty = await openEmbedded(directory, undefined);
    try {
      return await use(empty.db);
    } finally {
      await empty.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function described({ commands, from, to, compared, difference }: Replayed): string {
  const played = `${commands} commands from ${from?.toISOString()} to ${to?.toISOString()} were played.`;
  if (difference) throw new BadCommand(`${played}\nThe books differ: ${difference}.`);
  const counts = [...compared].map(([part, count]) => `${part}: ${count}`).join(', ');
  return `${played}\nThe books are the same, digit for digit (${counts}).`;
}
