import type { Workload } from '#domain/workload/workload';
import { formatCount, formatShort } from '../../i18n/format';
import { t } from '../../i18n/i18n';
import { browserName } from './device';
import type { Run } from './run';

/**
 * Whether a field of the workload can be chosen: the server's feed allows only the screen, a single
 * instrument has no rows.
 */
export function applies(name: keyof Workload, { source, screen }: Workload): boolean {
  if (name === 'screen' || name === 'source') return true;
  if (name === 'rows' || name === 'scrolling') return screen === 'list';
  return source === 'device';
}

/** The conditions of a run, shown when comparing two; the names are keys below `bench.`. */
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

/** The text of a condition; undefined where it does not apply or is unknown. */
export function conditionText(run: Run, name: Condition): string | undefined {
  if (name in run.workload && !applies(name as keyof Workload, run.workload)) return undefined;
  return CONDITIONS[name](run) || undefined;
}
