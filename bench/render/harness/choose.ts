import type { Section } from './plan';

/** The part of a plan that was asked for; throws where a name would measure nothing. */
export function choose(
  plan: readonly Section[],
  names: readonly string[] | undefined,
  contenders: readonly string[] | undefined,
): Section[] {
  const known = plan.map(({ name }) => name);
  for (const name of names ?? [])
    if (!known.includes(name))
      throw new Error(`No section ${name}. There are: ${known.join(', ')}.`);
  const wanted = plan.filter(({ name }) => !names || names.includes(name));
  const there = [...new Set(wanted.flatMap(({ items }) => items.map((item) => item.contender)))];
  for (const name of contenders ?? [])
    if (!there.includes(name))
      throw new Error(`No contender ${name} in these sections. There are: ${there.join('; ')}.`);
  return wanted.flatMap((section) => {
    const items = section.items.filter(
      (item) => !contenders || contenders.includes(item.contender),
    );
    if (items.length > 0) return [{ ...section, items }];
    if (names) throw new Error(`None of these contenders is in the section ${section.name}.`);
    return [];
  });
}
