import type { Message } from './rule';

const DECIMAL = /^-?\d+(?:\.(\d+))?$/;

/** Parameters that are texts, whatever they look like: names, codes and keys. */
const TEXTS: ReadonlySet<string> = new Set(['code', 'key', 'name', 'parameter', 'protocol']);

/** Parameters of a message with their decimals written as in `locale` (BCP 47), with all their digits. */
export function writtenParams(
  params: Message['params'] = {},
  locale: string,
): Record<string, string | number> {
  const written = (name: string, value: string | number) => {
    const decimals = typeof value === 'string' && !TEXTS.has(name) && DECIMAL.exec(value);
    if (!decimals) return value;
    const digits = decimals[1]?.length ?? 0;
    return new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value as Intl.StringNumericLiteral);
  };
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, written(name, value)]),
  );
}
