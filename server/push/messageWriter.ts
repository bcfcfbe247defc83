import { createHmac } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { PushMessage } from '#domain/api/pushMessage';
import { type Decimal, toFixed, toNumber, toText } from '#domain/core/decimal';
import { type Language, localeOf, toLanguage } from '#domain/core/language';
import { toPrice } from '#domain/core/units';
import { STOP_OUT_RATIO } from '#domain/trading/accountSummary';
import { MARGIN_LIMITS } from '#domain/trading/marginWarning';
import type { OrderState } from '#domain/trading/orderState';
import { netResult } from '#domain/trading/profit';
import { cutText } from '../core/cutText';
import { fixedText, translate } from '../core/translate';
import type { Db } from '../db/database';
import { alerts, type notices, type pushSubscriptions } from '../db/schema';
import type { Market } from '../market/market';
import { findOrder } from '../trading/orderStore';
import { CORRECTED } from './outbox';

type Notice = typeof notices.$inferSelect;
type Subscription = Pick<typeof pushSubscriptions.$inferSelect, 'id' | 'details' | 'language'>;
type Texts = Pick<PushMessage, 'title' | 'body' | 'path'>;

/** Every message is filled up to this length in bytes, so that it says nothing; longer ones are rare. */
const FILLED = 1024;
/** The longest text of a message, in characters: push services take 4096 bytes, and a character has up to four. */
const LONGEST = 200;

/** Writes what a browser is told, in its language (protocol.md#web-push, D122). */
export class MessageWriter {
  private readonly db: Db;
  private readonly market: Pick<Market, 'instruments'>;
  private readonly key: Buffer;

  /** `key`: hides from push services what a topic is about. */
  constructor(db: Db, market: Pick<Market, 'instruments'>, key: Buffer) {
    this.db = db;
    this.market = market;
    this.key = key;
  }

  async write(notice: Notice, to: Subscription): Promise<{ payload: string; topic: string }> {
    const { kind, userId, subject } = notice;
    const order = kind === 'orders' ? await findOrder(this.db, userId, subject) : undefined;
    const { tag, id } = namesOf(notice, order);
    const texts = await this.textsOf(notice, order, to);
    const message: PushMessage = { kind, tag, id, ...texts };
    const payload = JSON.stringify(message);
    const topic = createHmac('sha256', this.key).update(`${to.id} ${tag}`).digest('base64url');
    return {
      payload: payload + ' '.repeat(Math.max(0, FILLED - Buffer.byteLength(payload))),
      topic: topic.slice(0, 32),
    };
  }

  /** Without details, or where nothing is known any more of what it is about, only the kind. */
  private async textsOf(
    notice: Notice,
    order: OrderState | undefined,
    { details, language }: Subscription,
  ): Promise<Texts> {
    const lang = toLanguage(language);
    const told = details ? await this.detailsOf(notice, order, lang) : undefined;
    const { title, body, path } = told ?? plainOf(notice, lang);
    return { title: cutText(title, LONGEST), body: cutText(body, LONGEST), path };
  }

  private async detailsOf(
    notice: Notice,
    order: OrderState | undefined,
    language: Language,
  ): Promise<Texts | undefined> {
    if (notice.kind === 'margin') return marginText(notice, language);
    if (notice.kind === 'alerts') return this.alertText(notice, language);
    return order && orderText(order, notice.reason, language);
  }

  private async alertText(notice: Notice, language: Language): Promise<Texts | undefined> {
    const own = and(eq(alerts.id, notice.subject), eq(alerts.userId, notice.userId));
    const [alert] = await this.db.select().from(alerts).where(own);
    if (!alert) return undefined;
    const { code, precision, note } = alert;
    const price = (text: string) =>
      fixedText(language, toFixed(toPrice(text), precision), precision);
    const name = this.market.instruments.find((listed) => listed.code === code)?.name ?? code;
    const params = { name, level: price(alert.price), price: price(notice.price) };
    if (alert.kind === 'margin') {
      const level = {
        name: translate(language, 'account.marginLevel'),
        price: `${params.price} %`,
      };
      return { title: translate(language, 'alerts.met', level), body: note, path: PATHS.margin };
    }
    return {
      title: translate(
        language,
        alert.kind === 'price' ? 'alerts.triggered' : 'alerts.met',
        params,
      ),
      body: note,
      path: `/trade?${new URLSearchParams({ code })}`,
    };
  }
}

/** As the page names the same notice. */
function namesOf(
  { kind, subject, reason, createdAt }: Notice,
  order: OrderState | undefined,
): Pick<PushMessage, 'tag' | 'id'> {
  switch (kind) {
    case 'alerts':
      return { tag: `alert-${subject}`, id: `alert-${subject}-${createdAt.getTime()}` };
    case 'orders': {
      const tag = `order-${subject}`;
      // Of its end the user may have been told before.
      if (reason === 'busted') return { tag, id: `${tag}-busted` };
      // After a bust an order may end a second time.
      const endedAt = order?.closeReason === reason ? order.completedAt : null;
      return { tag, id: `${tag}-${endedAt ?? createdAt.getTime()}` };
    }
    case 'margin':
      return { tag: 'margin', id: `margin-${reason}` };
  }
}

const PATHS = { alerts: '/alerts', orders: '/order?type=3', margin: '/order' } as const;

function plainOf({ kind, reason }: Notice, language: Language): Texts {
  const byBroker = kind === 'orders' && (reason === 'busted' || reason === CORRECTED);
  const key = byBroker ? 'server.push.changed' : (`server.push.${kind}` as const);
  return { title: translate(language, key), body: '', path: PATHS[kind] };
}

function marginText(notice: Notice, language: Language): Texts {
  const state = notice.reason === 'critical' ? 'critical' : 'low';
  const params = {
    limit: exact(MARGIN_LIMITS[state], language),
    stopOut: exact(STOP_OUT_RATIO, language),
  };
  const body = translate(language, `account.prepayment.${state}`, params);
  return { ...plainOf(notice, language), body };
}

/** Undefined where a bust has changed the end since. */
function orderText(order: OrderState, told: string, language: Language): Texts | undefined {
  const { side, lots, name, closeReason } = order;
  const terms = {
    side: translate(language, `orders.side.${side}`),
    size: translate(language, 'orders.lots', {
      count: toNumber(lots),
      lots: exact(lots, language),
    }),
    name,
  };
  if (told === CORRECTED) {
    const path = order.status === 'closed' ? PATHS.orders : '/order?type=1';
    return { title: translate(language, 'server.push.corrected', terms), body: '', path };
  }
  if (!closeReason || closeReason !== told) return undefined;
  // The market cancels what the available balance does not cover.
  const title =
    closeReason === 'cancelled' || closeReason === 'expired'
      ? translate(language, closeReason === 'expired' ? 'orders.expired' : 'orders.unfunded', terms)
      : translate(language, 'orders.ended', {
          ...terms,
          reason: translate(language, `orders.reason.${closeReason}`),
          profit: fixedText(language, toFixed(netResult(order), 2), 2, 'exceptZero'),
        });
  return { title, body: '', path: PATHS.orders };
}

function exact(value: Decimal, language: Language): string {
  return new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20 }).format(
    toText(value) as Intl.StringNumericLiteral,
  );
}
