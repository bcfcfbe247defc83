import { lazyPart, ToldInBanner } from '../../../ui/lazyPart';

const parts = () => import('./parts');

export const AmendOrder = lazyPart(async () => ({ default: (await parts()).AmendOrder }));
export const CellEditor = lazyPart(
  async () => ({ default: (await parts()).CellEditor }),
  ToldInBanner,
);
