/** The part of the worker's contract about practice: a past day that is played and traded on this device (domain.md#practice). */
import type { Result } from '../core/result';
import type { UnixMs } from '../core/time';
import type { IndicatorSpec } from '../indicators/catalogue';
import type { Instrument } from '../market/instrument';
import type { Period } from '../market/period';
import type { PracticeCommand } from '../practice/session';
import type { AmendmentInput } from '../trading/amendment';
import type { Order } from '../trading/order';
import type { TicketInput } from '../trading/ticketInput';
import type { AccountSummary } from './trading';

/** How fast a day is played; at 60 a bar takes a second. */
export const PRACTICE_SPEEDS = [1, 10, 60] as const;
export type PracticeSpeed = (typeof PRACTICE_SPEEDS)[number];

/** How many days a session may have. */
export const PRACTICE_DAYS = [1, 2, 5] as const;
export type PracticeDays = (typeof PRACTICE_DAYS)[number];

/** A session as it is now. Its quotes, bars and preview come as those of any instrument, under `instrument.id`. */
export interface PracticeState {
  /** Tells sessions apart. */
  id: number;
  /** Its id is negative (`practiceId`), and so are those of its orders. */
  instrument: Instrument;
  period: Period;
  /** The time of the last tick. */
  time: UnixMs;
  /** Its nights are charged. */
  swap: boolean;
  /** Bars that have begun, and all of them. */
  bars: number;
  total: number;
  /** undefined: it is paused. */
  speed: PracticeSpeed | undefined;
  isOver: boolean;
  /** USD; what it began with. */
  start: string;
  account: AccountSummary;
  /** Pending orders and positions at the present price, oldest first. */
  open: Order[];
  /** In the order of their ends. */
  closed: Order[];
}

/** What practice adds to a Frame. */
export interface PracticeFrame {
  /** null: there is no session; `elsewhere`: another tab plays it. */
  practice?: PracticeState | 'elsewhere' | null;
}

export type PracticeRequest =
  /** Reads the session of this device, and sends all of it: a screen shows it from now on, unless another tab does. */
  | { do: 'show' }
  /** As `show`, and the other tab stores all and stops. */
  | { do: 'take' }
  /** The screen is left: other tabs may play. */
  | { do: 'leave' }
  /** Begins a session in the place of another one: days of an instrument from this one on (its 00:00 UTC), with this balance, USD as text. */
  | { do: 'start'; instrumentId: number; day: UnixMs; days: PracticeDays; balance: string }
  | { do: 'bar' }
  | { do: 'play'; speed: PracticeSpeed }
  | { do: 'pause' }
  /** Sets the ticket to preview on every tick; undefined when the form is closed. */
  | { do: 'ticket'; ticket: TicketInput | undefined }
  /** Sets the amendment to preview, as `TradingWorkerApi.setChange`. */
  | { do: 'change'; change: { id: number; terms: AmendmentInput } | undefined }
  /** Sets the indicators of the session's chart. */
  | { do: 'indicators'; specs: readonly IndicatorSpec[] }
  /** Forgets the session. */
  | { do: 'forget' }
  | PracticeCommand;

export interface PracticeWorkerApi {
  /**
   * Does what the user of a session wants; nothing but reads of past bars and terms is sent to the server. The failure
   * `invalid` names the rule that a command breaks, or that there are no bars.
   */
  practice(request: PracticeRequest): Promise<Result<void>>;
}
