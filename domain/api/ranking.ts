/** The ranking of traders (protocol.md#ranking-calls). */
import { endpoint, type PageParams } from './endpoint';
import type { Page } from './envelope';

export interface TraderRow {
  id: number;
  user: { name: string; avatar: string; followers: number };
  multiple: string;
  code: string;
  three_week_rate: string;
  three_week_win: string;
  three_week_profit: string;
  total_rate: string;
  total_trade_num: number;
  /** How many of them were computed, not traded; not in the protocol (D57). */
  past_trade_num: number;
}

export const traderList = endpoint<PageParams, Page<TraderRow>>()({
  method: 'GET',
  path: '/api/follow/list',
  access: 'public',
  effect: 'reads',
});
