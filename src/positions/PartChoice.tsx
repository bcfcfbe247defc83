import type { Part } from '#domain/trading/rules';
import { formatShare } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { Segmented } from '../ui/Segmented';

/** Percent. */
export const WHOLE = 100;

interface PartChoiceProps {
  parts: readonly Part[];
  percent: number;
  onChange(percent: number): void;
}

/** How much of a position is to be closed. */
export function PartChoice({ parts, percent, onChange }: PartChoiceProps) {
  const t = useT();
  return (
    <Segmented
      label={t('orders.part.which')}
      options={[
        ...parts.map((offered) => ({
          value: offered.percent,
          label: formatShare(offered.percent / WHOLE),
        })),
        { value: WHOLE, label: t('orders.part.all') },
      ]}
      value={percent}
      onChange={onChange}
    />
  );
}
