import { Draws } from '../simulated/random';
import { CATEGORY_DEFAULTS, unitsAt } from './categoryDefaults';
import { CATEGORIES, type CategoryKey, type InstrumentTerms } from './instrumentTerms';

/** Number of generated instruments of each category in every twenty. */
const MIX: readonly CategoryKey[] = CATEGORIES.flatMap(({ key }) =>
  Array<CategoryKey>(
    { forex: 3, metals: 1, crypto: 4, indices: 2, energy: 1, stocks: 9 }[key],
  ).fill(key),
);

const CONSONANTS = 'BCDFGHKLMNPRSTVZ';
const VOWELS = 'AEIOU';
const SUFFIX: Readonly<Record<CategoryKey, readonly string[]>> = {
  forex: ['Dollar'],
  metals: ['Alloy', 'Ore'],
  crypto: ['Coin', 'Token', 'Chain'],
  indices: ['30', '50', '100', '200'],
  energy: ['Crude', 'Gas'],
  stocks: ['Holdings', 'Industries', 'Group', 'Labs', 'Foods', 'Energy', 'Motors', 'Bank'],
};
const SESSIONS = ['americas', 'americas', 'americas', 'europe', 'europe', 'asia'] as const;

/** An endless, reproducible sequence of instruments. `taken` holds codes already in use. */
export function* generatedTerms(taken: Set<string>): Generator<InstrumentTerms> {
  const draws = new CatalogueDraws();
  for (let i = 0; ; i++) {
    draws.begin(i);
    const category = MIX[i % MIX.length] as CategoryKey;
    const terms = generate(category, taken, draws);
    taken.add(terms.code);
    yield terms;
  }
}

function generate(
  category: CategoryKey,
  taken: ReadonlySet<string>,
  draws: Draws,
): InstrumentTerms {
  const usual = CATEGORY_DEFAULTS[category];
  for (let syllables = 2; ; syllables++) {
    const word = generateWord(syllables, draws);
    const suffix = draws.pick(SUFFIX[category]);
    const code = toCode(category, word, suffix);
    if (taken.has(code)) continue;
    // Spread around the category's price, so that the instruments differ.
    const base = usual.base * Math.exp(0.9 * draws.normal());
    const session =
      category === 'stocks' || category === 'indices' ? draws.pick(SESSIONS) : usual.session;
    const precision = Math.max(1, Math.min(6, 5 - Math.round(Math.log10(base))));
    return {
      ...usual,
      code,
      name: `${word[0]}${word.slice(1).toLowerCase()} ${suffix}`,
      session,
      precision: category === 'stocks' ? 2 : precision,
      base,
      volatility: usual.volatility * Math.exp(0.25 * draws.normal()),
      liquidity: 0.3 + 0.4 * draws.next(),
      unitsPerLot: unitsAt(base, usual),
    };
  }
}

function generateWord(syllables: number, draws: Draws): string {
  let word = '';
  for (let i = 0; i < syllables; i++) word += draws.pick(CONSONANTS) + draws.pick(VOWELS);
  return word + draws.pick(CONSONANTS);
}

function toCode(category: CategoryKey, word: string, suffix: string): string {
  if (category === 'forex' || category === 'crypto') return `${word}USD`;
  return category === 'indices' ? word + suffix : word;
}

/** Draws of the generated instruments, which are the same in every market and no secret. */
class CatalogueDraws extends Draws {
  private state = 0;

  begin(index: number): void {
    this.state = mix(mix(mix(KEY ^ GOLDEN) + index) ^ KEY);
  }

  /** mulberry32 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4294967296;
  }
}

const GOLDEN = 0x9e3779b9;
const KEY = hashText('catalogue');

/** Hashes a text to 32 bits (FNV-1a). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

/** Finaliser of MurmurHash3: every input bit affects every output bit. */
function mix(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
