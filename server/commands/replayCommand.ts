import { mkdtemp, rm } from 'node:fs/promises';
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
    async run() {
      if (running) throw new BadCommand('A replay is running.');
      if (!(await isRecorded(database.db)))
        throw new BadCommand('Nothing is recorded: see --command-days.');
      running = true;
      try {
        return described(await inEmptyDatabase(data, (empty) => replay(database, empty)));
      } finally {
        running = false;
      }
    },
  };
}

async function inEmptyDatabase<T>(data: string, use: (empty: Database['db']) => Promise<T>) {
  const { openEmbedded } = await import('../db/openEmbedded');
  const directory = await mkdtemp(join(data, 'replay-'));
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
