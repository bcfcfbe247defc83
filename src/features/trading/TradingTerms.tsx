import type { Instrument } from '#domain/market/instrument';
import { OvernightSwap } from './OvernightSwap';
import { TradingHours } from './TradingHours';

/** What the list of instruments does not have in memory, asked where it is shown. */
export default function TradingTerms({ instrument }: { instrument: Instrument }) {
  return (
    <>
      <OvernightSwap instrument={instrument} />
      <TradingHours instrument={instrument} />
    </>
  );
}
