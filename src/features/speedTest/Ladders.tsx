import { isHeld, type Rung } from '#domain/workload/verdict';
import { formatCount, formatDecimals, UNKNOWN } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { ScrollingTable } from './ScrollingTable';

interface LaddersProps {
  /** This device first. */
  ladders: readonly { name: string; ladder: readonly Rung[] }[];
}

/** What lags at each rate, on this device and others. */
export function Ladders({ ladders }: LaddersProps) {
  const t = useT();
  const rates = ladders[0]?.ladder.map(({ rate }) => rate) ?? [];
  return (
    <ScrollingTable label={t('bench.rate')} heads={[t('bench.rate'), ...rates.map(formatCount)]}>
      {ladders.map(({ name, ladder }, index) => (
        <tr key={name} data-own={index === 0 || undefined}>
          <th scope="row">{name}</th>
          {rates.map((rate) => (
            <Lag key={rate} rung={ladder.find((each) => each.rate === rate)} />
          ))}
        </tr>
      ))}
    </ScrollingTable>
  );
}

function Lag({ rung }: { rung: Rung | undefined }) {
  const known = rung && Number.isFinite(rung.lag);
  return (
    <td data-missed={!(rung && isHeld(rung)) || undefined}>
      {known ? formatDecimals(rung.lag, 1) : UNKNOWN}
    </td>
  );
}
