import type { Workload } from '#domain/bench/workload';
import { formatCount, formatShort } from '../../i18n/format';
import { t } from '../../i18n/i18n';
import { browserName } from './device';
import type { Run } from './run';

/** What of a workload can be chosen: of the server's feed only what is looked at, of one instrument no rows. */
export function applies(name: keyof Workload, { source, screen }: Workload): boolean {
  if (name === 'screen' || name === 'source') return true;
  if (name === 'rows' || name === 'scrolling') return screen === 'list';
  return source === 'device';
}

/** What a run was made of and on, for whoever compares two; the names are keys of `bench.`. */
const CONDITIONS = {
  screen: ({ workload }) => t(`bench.${workload.screen}`),
  source: ({ workload }) => t(`bench.${workload.source}`),
  instruments: ({ workload }) => formatCount(workload.instruments),
  rate: ({ workload }) => formatCount(workload.rate),
  rows: ({ workload }) => formatCount(workload.rows),
  perMessage: ({ workload }) => formatCount(workload.perMessage),
  spread: ({ workload }) => t(`bench.${workload.spread}`),
  rhythm: ({ workload }) => t(`bench.${workload.rhythm}`),
  scrolling: ({ workload }) => t(`bench.${workload.scrolling}`),
  saver: ({ dataSaver }) => t(dataSaver ? 'saver.on' : 'saver.off'),
  browser: ({ device }) => browserName(device.userAgent),
  viewport: ({ device }) => device.viewport.map(formatCount).join(' × '),
  cores: ({ device }) => formatCount(device.cores),
  memory: ({ device }) => device.memory && formatShort(device.memory),
} satisfies Record<string, (run: Run) => string | number | undefined>;

export type Condition = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as Condition[];

/** In the user's language; undefined where it does not apply, or is not known. */
export function conditionText(run: Run, name: Condition): string | undefined {
  if (name in run.workload && !applies(name as keyof Workload, run.workload)) return undefined;
  return CONDITIONS[name](run) || undefined;
}
