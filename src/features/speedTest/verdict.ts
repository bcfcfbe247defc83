import type { DeviceRun } from '#domain/workload/deviceRun';
import { HELD_MS, heldRate, type Rung } from '#domain/workload/verdict';
import { formatCount } from '../../i18n/format';
import { t } from '../../i18n/i18n';

/** The name of a share of a desktop's core; the plan of the reference has these three. */
export function coreName(core: number): string {
  if (core === 1) return t('bench.wholeCore');
  return t(core === 0.5 ? 'bench.halfCore' : 'bench.quarterCore');
}

/** The verdict on this device, and on the weakest reference that holds any rate. */
export function verdict(
  ladder: readonly Rung[],
  cores: readonly { core: number; ladder: readonly Rung[] }[],
): string {
  const held = heldRate(ladder);
  const lowest = ladder[0]?.rate ?? 0;
  const own = t(held === undefined ? 'bench.holdsNone' : 'bench.holds', {
    ms: formatCount(HELD_MS),
    rate: formatCount(held ?? lowest),
  });
  const references = cores.flatMap((each) => {
    const rate = heldRate(each.ladder);
    return rate === undefined ? [] : [{ core: each.core, rate }];
  });
  const [weakest] = references.sort((one, other) => one.core - other.core);
  if (!weakest) return own;
  const name = coreName(weakest.core);
  return `${own} ${t('bench.reference', { name, rate: formatCount(weakest.rate) })}`;
}

/** What a step of the plan is called. */
export function stepName({
  contender,
  workload,
}: Pick<DeviceRun, 'contender' | 'workload'>): string {
  if (contender === 'app, chart') return t('workspace.panel.chart');
  if (contender === 'app, ticket') return t('workspace.panel.ticket');
  const { hand, rate } = workload;
  return `${t('bench.list')} · ${hand === 'fling' ? t('bench.scrolling') : formatCount(rate)}`;
}

/** The steps that have not shown the last quotes, by name. */
export function failedSteps(runs: readonly DeviceRun[]): string[] {
  return runs.filter(({ sample }) => !sample).map(stepName);
}
