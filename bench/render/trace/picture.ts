import { ROLES, type Role } from '../harness/threads';
import { type Bar, bars, type Scenario } from './results';
import { KINDS, type Kind } from './sums';

/**
 * Each differs from its neighbours and from both backgrounds by lightness, not by hue alone; the
 * figure inside is white on the dark ones and black on the light ones.
 */
const COLORS: Record<Kind, { fill: string; text: string }> = {
  script: { fill: '#a9560a', text: '#fff' },
  'parse and compile': { fill: '#c18619', text: '#000' },
  style: { fill: '#754fdb', text: '#fff' },
  layout: { fill: '#9982e8', text: '#000' },
  paint: { fill: '#0b7d3c', text: '#fff' },
  compositing: { fill: '#30a661', text: '#000' },
  raster: { fill: '#157690', text: '#fff' },
  'garbage collection': { fill: '#e26865', text: '#000' },
  messages: { fill: '#266bc8', text: '#fff' },
  other: { fill: '#8c9099', text: '#000' },
};

/** The picture has a background of its own: whatever the page around it, its text is readable. */
const THEMES = {
  light: { card: '#ffffff', ink: '#1f2328', faint: '#59636e' },
  dark: { card: '#0d1117', ink: '#e6edf3', faint: '#9198a1' },
};

const NAMES: Record<Role | 'whole', string> = {
  whole: 'whole browser',
  react: 'page thread',
  worker: 'worker',
  compositor: 'compositor',
  renderer: 'rest of the renderer',
  display: 'display process',
  network: 'network process',
  browser: 'browser process',
};

const WIDTH = 860;
const MARGIN = 16;
const LEFT = 232;
const RIGHT = WIDTH - MARGIN - 48;
const BAR = 17;
/** The line below a bar, for the run without the recorder. */
const LINE = 2;
const STEP = BAR + LINE + 4;
const GROUP_GAP = 10;
const LEGEND_COLUMNS = 5;
const LEGEND_STEP = 18;
/** A figure of three characters fits. */
const LEAST_LABELLED = 26;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const figure = (ms: number) => (ms >= 99.95 ? ms.toFixed(0) : ms.toFixed(1));
const px = (value: number) => `${Number(value.toFixed(1))}`;
const totalOf = ({ kinds }: Bar) => Object.values(kinds).reduce((total, ms) => total + ms, 0);

/** A bar in words, its largest parts first. */
function words(bar: Bar, unit: string): string {
  const parts = KINDS.map((kind) => ({ kind, ms: bar.kinds[kind] }))
    .filter(({ ms }) => ms >= totalOf(bar) / 50 && ms >= 0.1)
    .sort((a, b) => b.ms - a.ms)
    .map(({ kind, ms }) => `${kind} ${figure(ms)}`);
  return `${bar.contender} ${figure(totalOf(bar))} ${unit} (${parts.join(', ')})`;
}

function style(): string {
  const theme = ({ card, ink, faint }: (typeof THEMES)['light']) =>
    `.card{fill:${card}}text{fill:${ink}}.faint{fill:${faint}}.line{fill:${ink}}`;
  const fills = KINDS.map(
    (kind, index) =>
      `.k${index}{fill:${COLORS[kind].fill}}text.t${index}{fill:${COLORS[kind].text}}`,
  );
  return `text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif}text.title{font-weight:600;font-size:15px}text.group{font-weight:600}text.in{font-size:11px}${theme(THEMES.light)}${fills.join('')}@media(prefers-color-scheme:dark){${theme(THEMES.dark)}${fills.map((each) => each.slice(each.indexOf('text.'))).join('')}}`;
}

function legend(top: number): string {
  const column = (WIDTH - 2 * MARGIN) / LEGEND_COLUMNS;
  return KINDS.map((kind, index) => {
    const x = MARGIN + (index % LEGEND_COLUMNS) * column;
    const y = top + Math.floor(index / LEGEND_COLUMNS) * LEGEND_STEP;
    return `<rect class="k${index}" x="${px(x)}" y="${y}" width="11" height="11" rx="2"/><text x="${px(x + 16)}" y="${y + 10}">${kind}</text>`;
  }).join('');
}

function drawBar(bar: Bar, y: number, scale: number): string {
  let x = LEFT;
  const parts = KINDS.map((kind, index) => {
    const width = bar.kinds[kind] * scale;
    const from = x;
    x += width;
    if (width < 0.3) return '';
    const rect = `<rect class="k${index}" x="${px(from)}" y="${y}" width="${px(Math.max(0.3, width - 1))}" height="${BAR}"/>`;
    if (width < LEAST_LABELLED) return rect;
    return `${rect}<text class="in t${index}" x="${px(from + (width - 1) / 2)}" y="${y + 13}" text-anchor="middle">${figure(bar.kinds[kind])}</text>`;
  });
  const line = `<rect class="line" x="${LEFT}" y="${y + BAR + 1}" width="${px(bar.unrecorded * scale)}" height="${LINE}"/>`;
  return `<text class="faint" x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${escaped(bar.contender)}</text>${parts.join('')}${line}<text x="${px(x + 6)}" y="${y + 13}">${figure(totalOf(bar))}</text>`;
}

/** Stacked bars of a scenario: a group for the whole browser and one for each role, as SVG. */
export function drawTrace(scenario: Scenario, about: Record<string, string | number>): string {
  const { title, unit, runs } = scenario;
  const groups = (['whole', ...ROLES] as const)
    .map((role) => ({ role, bars: bars(scenario, role) }))
    .filter((group) => group.bars.some((bar) => totalOf(bar) >= 0.05));
  /** Pixels of a millisecond for these groups. */
  const scaleOf = (some: typeof groups) => {
    const longest = some.flatMap((group) =>
      group.bars.map((bar) => Math.max(totalOf(bar), bar.unrecorded)),
    );
    return (RIGHT - LEFT) / Math.max(...longest);
  };
  const [whole, single] = [groups.slice(0, 1), groups.slice(1)];
  const scales = { whole: scaleOf(whole), single: scaleOf(single) };
  const what = unit === 'ms' ? 'CPU until then, ms' : 'CPU of the threads in ms a second';
  const rounds = Math.max(
    ...[...new Set(runs.map(({ contender }) => contender))].map(
      (name) => runs.filter(({ contender }) => contender === name).length,
    ),
  );
  const recorded = rounds === 1 ? 'one recording each' : `means of ${rounds} recordings each`;
  const lines = [
    `${what}; ${recorded}. The line below a bar: the same without the recorder.`,
    `${about['cpu']}, ${about['cores']} cores; ${about['browser']}; ${String(about['at']).slice(0, 10)}`,
  ];
  const parts: string[] = [];
  let y = MARGIN + 62;
  parts.push(legend(y));
  y += Math.ceil(KINDS.length / LEGEND_COLUMNS) * LEGEND_STEP + 14;
  for (const group of groups) {
    const scale = group.role === 'whole' ? scales.whole : scales.single;
    if (group === single[0]) {
      const times = figure(scales.single / scales.whole);
      parts.push(
        `<text class="faint" x="${MARGIN}" y="${y + 13}">Its threads and processes, at ${times} times the scale:</text>`,
      );
      y += STEP;
    }
    parts.push(`<text class="group" x="${MARGIN}" y="${y + 13}">${NAMES[group.role]}</text>`);
    for (const bar of group.bars) {
      parts.push(drawBar(bar, y, scale));
      y += STEP;
    }
    y += GROUP_GAP;
  }
  const height = y + MARGIN - GROUP_GAP;
  const description = groups
    .map(
      (group) => `${NAMES[group.role]}: ${group.bars.map((bar) => words(bar, unit)).join('; ')}.`,
    )
    .join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title what">
<title id="title">${escaped(title)}: where the thread time goes</title>
<desc id="what">${escaped(`${lines.join(' ')} ${description}`)}</desc>
<style>${style()}</style>
<rect class="card" width="${WIDTH}" height="${height}" rx="8"/>
<text class="title" x="${MARGIN}" y="${MARGIN + 14}">${escaped(title)}</text>
${lines.map((line, index) => `<text class="faint" x="${MARGIN}" y="${MARGIN + 33 + index * 17}">${escaped(line)}</text>`).join('\n')}
${parts.join('\n')}
</svg>
`;
}
