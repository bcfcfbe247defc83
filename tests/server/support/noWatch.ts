import type { TickWatch } from '../../../server/trading/tickWatch';

/** For an engine without alerts. */
export const noWatch: TickWatch = {
  isDue: false,
  forget() {},
  async load() {},
  async settle() {},
  applyTick: () => false,
  async trigger() {},
  hasMoved: false,
  async savePosition() {},
  positionSaved() {},
};
