import type { Decimal } from '#domain/core/decimal';
import type { TicketPreview } from '#domain/gateway/trading';
import type { Account } from '#domain/trading/accountFigures';
import type { FeeType } from '#domain/trading/margin';
import type { Problem } from '#domain/trading/rules';
import type { TicketInput } from '#domain/trading/ticketInput';
import { previewOf, type TicketContext, ticketProblem } from './preview';
import type { Followed, Priced, Prices } from './prices';

export interface TicketOptions {
  prices: Prices;
  standing: () => Account | undefined;
  /** Units of an instrument held. */
  exposure: (instrumentId: number) => Decimal;
  feeType: () => FeeType | undefined;
  touch: () => void;
  gather: () => void;
}

/** The ticket that is being filled in, previewed with each tick. */
export interface LiveTicket {
  set(input: TicketInput | undefined): void;
  /** Something that it is judged by has changed. */
  outdate(): void;
  /** What it would do; undefined where there is none, or nothing has changed. */
  drainPreview(): TicketPreview | undefined;
  /** What is wrong with a ticket that is about to be sent, but for the balance: that is the server's to judge. */
  problem(input: TicketInput): Problem | undefined;
}

export function createTicket(options: TicketOptions): LiveTicket {
  let input: TicketInput | undefined;
  let followed: Followed | undefined;
  let outdated = false;
  let sent = '';

  function outdate(): void {
    if (!input) return;
    outdated = true;
    options.gather();
  }

  function contextOf({ instrument, price, marketOpen }: Priced): TicketContext {
    const account = options.standing();
    return {
      instrument,
      price,
      marketOpen,
      feeType: options.feeType(),
      standing: account && instrument && { ...account, exposure: options.exposure(instrument.id) },
    };
  }

  return {
    set(next) {
      const former = followed;
      if (next?.instrumentId !== input?.instrumentId) {
        followed = next && options.prices.follow(next.instrumentId, outdate);
        former?.release();
      }
      input = next;
      sent = '';
      outdate();
      options.touch();
    },
    outdate,
    drainPreview() {
      if (!outdated || !input || !followed) return undefined;
      outdated = false;
      const preview = previewOf(input, contextOf(followed));
      const text = JSON.stringify(preview);
      if (text === sent) return undefined;
      sent = text;
      return preview;
    },
    problem: (ticket) =>
      ticketProblem(ticket, {
        ...contextOf(options.prices.of(ticket.instrumentId)),
        standing: undefined,
      }),
  };
}
