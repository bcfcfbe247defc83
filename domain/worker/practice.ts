/** The part of the worker's contract about practice: a past day that is played and traded on this device (domain.md#practice). */
import type { Result } from '../core/result';
import type { UnixMs } from '../core/time';
import type { Instrument } from '../market/instrument';
import type { Period } from '../market/period';
import type { PracticeCommand } from '../practice/session';
import type { Order } from '../trading/order';
import type { TicketInput } from '../trading/ticketInput';
import type { AccountSummary } from './trading';

/** How fast a day is played; at 60 a bar takes a second. */
export const PRACTICE_SPEEDS = [1, 10, 60] as const;
export type PracticeSpeed = (typeof PRACTICE_SPEEDS)[number];

/** A session as it is now. Its quotes, bars and preview come as those of any instrument, under `instrument.id`. */
export interface PracticeState {
  /** Tells sessions apart. */
  id: number;
  /** Its id is negative (`practiceId`), and so are those of its orders. */
  instrument: Instrument;
  period: Period;
  /** The time of the last tick. */
  time: UnixMs;
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
  /** null: there is no session. */
  practice?: PracticeState | null;
}

export type PracticeRequest =
  /** Reads the session of this device, and sends all of it: a screen shows it from now on. */
  | { do: 'show' }
  /** Begins a session in the place of another one: a day (its 00:00 UTC) of an instrument, with this balance, USD as text. */
  | { do: 'start'; instrumentId: number; day: UnixMs; balance: string }
  | { do: 'bar' }
  | { do: 'play'; speed: PracticeSpeed }
  | { do: 'pause' }
  /** Sets the ticket to preview on every tick; undefined when the form is closed. */
  | { do: 'ticket'; ticket: TicketInput | undefined }
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
