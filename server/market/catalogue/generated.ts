import type { Draws } from '../simulated/random';
import { CatalogueDraws } from './catalogueDraws';
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
