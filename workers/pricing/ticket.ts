import type { Problem } from '#domain/trading/rules';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { TicketPreview } from '#domain/worker/trading';
import { importOnce } from '../core/importOnce';
import type { FrameField } from '../frames/frames';
import type { TicketSources } from './preview';
import type { Followed, Prices } from './prices';

type PreviewCode = Pick<typeof import('./preview'), 'contextOf' | 'previewOf' | 'ticketProblem'>;

/** Loaded by the first ticket: the first prices do not need it. */
const code = importOnce<PreviewCode>(() => import('./preview'));

export interface TicketOptions extends TicketSources {
  prices: Prices;
  /** The preview in the frame. */
  field: FrameField;
}

/** The ticket that is being filled in, with a preview that follows each tick (domain.md#ticket). */
export interface LiveTicket {
  set(input: TicketInput | undefined): void;
  /** The context of the ticket has changed. */
  invalidate(): void;
  /** What the ticket would do; undefined where there is no ticket, or the preview is the one returned last. */
  drainPreview(): TicketPreview | undefined;
  /** The first rule that a ticket breaks before it is sent. Without `account` the balance and the open orders are not checked: the server does. */
  problem(input: TicketInput, account?: boolean): Promise<Problem | undefined>;
}

export function createTicket(options: TicketOptions): LiveTicket {
  let input: TicketInput | undefined;
  let followed: Followed | undefined;
  let sent = '';

  function invalidate(): void {
    if (input) options.field.touch();
  }

  return {
    set(next) {
      const former = followed;
      if (next?.instrumentId !== input?.instrumentId) {
        followed = next && options.prices.follow(next.instrumentId, invalidate);
        former?.release();
      }
      input = next;
      sent = '';
      options.field.touch();
      // Where loading fails, the next change of the form tries again.
      if (next && !code.present()) code().then(options.field.touch, () => undefined);
    },
    invalidate,
    drainPreview() {
      const loaded = code.present();
      if (!input || !followed || !loaded) return undefined;
      const preview = loaded.previewOf(input, loaded.contextOf(options, followed));
      const text = JSON.stringify(preview);
      if (text === sent) return undefined;
      sent = text;
      return preview;
    },
    async problem(ticket, account = false) {
      const loaded = await code().catch(() => undefined);
      return loaded?.ticketProblem(ticket, {
        ...loaded.contextOf(options, options.prices.of(ticket.instrumentId)),
        ...(!account && { openOrders: undefined, snapshot: undefined }),
      });
    },
  };
}
