import type { Rung } from '#domain/workload/verdict';
import measured from './reference.json';

interface Reference {
  /** Where and when it was measured. */
  about: { cpu: string; browser: string; at: string };
  /** This page on a share of one core of that computer. */
  cores: { core: number; ladder: Rung[] }[];
}

/** JSON has no infinite number: what was not held because it failed has no lag. */
const rungOf = ({ rate, lag }: { rate: number; lag: number | null }): Rung => ({
  rate,
  lag: lag ?? Number.POSITIVE_INFINITY,
});

/** Written by `npm run bench -- --report` of bench/results/device.json. */
export const REFERENCE: Reference = {
  about: measured.about,
  cores: measured.cores.map(({ core, ladder }) => ({ core, ladder: ladder.map(rungOf) })),
};
