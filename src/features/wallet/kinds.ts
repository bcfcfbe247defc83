import { useSearchParams } from 'react-router-dom';
import type { MoneyKind } from '#domain/wallet/wallet';

/** The switch of charge and withdraw (§2): coin is 0, bank is 1, also in the address. */
export const KINDS: readonly MoneyKind[] = ['coin', 'bank'];

export function useKind(): [MoneyKind, (kind: MoneyKind) => void] {
  const [query, setQuery] = useSearchParams();
  const kind = KINDS[Number(query.get('type'))] ?? 'coin';
  return [kind, (next) => setQuery({ type: String(KINDS.indexOf(next)) }, { replace: true })];
}
