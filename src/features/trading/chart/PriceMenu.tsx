import { useEffect, useState } from 'react';
import { toFixed, toNumber } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { quotedPrice } from '#domain/market/quotedPrice';
import { sidePrices } from '#domain/trading/fill';
import type { Order, Side } from '#domain/trading/order';
import { openAlertForm } from '../../../alerts/alertWish';
import { formatExact, formatPrice } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { proposal } from '../../../instruments/proposal';
import { useAccountSettings } from '../../../requests/accountSettings';
import { Row } from '../../../ui/Row';
import { Sheet } from '../../../ui/Sheet';
import { useValue } from '../../../useValue';
import { useTopOfBook } from '../../../worker/topOfBook';
import { pendingText } from '../ticket/pendingText';
import type { LiveChart } from './liveChart';
import { entryLine, lineId, movedExit } from './orderLines';
import { watchPrices } from './pricePress';

const SIDES: readonly Side[] = ['buy', 'sell'];

interface PriceMenuProps {
  live: LiveChart;
  instrument: Instrument;
  /** Open orders of the instrument. */
  orders: readonly Order[];
  /** Asks for the exit of an order, named by its line, at a price. */
  onExit(id: string, price: number): void;
}

/** What can be done at a price of the chart (screens.md#trading-from-the-chart). */
export function PriceMenu({ live, instrument, orders, onExit }: PriceMenuProps) {
  const t = useT();
  const space = useValue(live.space);
  const [open, setOpen] = useState(false);
  const [price, setPrice] = useState<Price>();
  const { precision } = instrument;

  useEffect(() => {
    if (!space) return;
    return watchPrices(space, (y) => {
      const found = quotedPrice(space.priceAt(y) ?? Number.NaN, precision);
      if (!found) return;
      setPrice(found);
      setOpen(true);
    });
  }, [space, precision]);

  const choose = (act: () => void) => {
    setOpen(false);
    act();
  };
  const shown = price && formatPrice(toNumber(price), precision);
  return (
    <Sheet open={open} onClose={() => setOpen(false)} title={shown ?? ''}>
      {price && (
        <PendingOrders
          live={live}
          instrument={instrument}
          target={price}
          onChoose={(side) =>
            choose(() => {
              proposal.value = { code: instrument.code, side, target: toFixed(price, precision) };
            })
          }
        />
      )}
      {price &&
        orders.map((order) => {
          const stop = movedExit(entryLine(order.id), toNumber(price), orders);
          if (!stop) return null;
          const name = `${t(`orders.side.${order.side}`)} ${formatExact(order.lots)}`;
          const entry = order.status === 'pending' ? order.originPrice : order.price;
          return (
            <Row
              key={order.id}
              title={t(`exits.${stop.kind}`)}
              detail={
                <>
                  <bdi>{name}</bdi> · <bdi>{formatPrice(toNumber(entry), precision)}</bdi>
                </>
              }
              onClick={() => choose(() => onExit(lineId(order.id, stop.kind), toNumber(price)))}
            />
          );
        })}
      {price && (
        <Row
          title={t('alerts.set')}
          onClick={() => choose(() => openAlertForm(instrument.code, toFixed(price, precision)))}
        />
      )}
    </Sheet>
  );
}

interface PendingOrdersProps {
  live: LiveChart;
  instrument: Instrument;
  target: Price;
  onChoose(side: Side): void;
}

/** The pending orders that a price can be the target of, each named by the price that it would be judged by. */
function PendingOrders({ live, instrument, target, onChoose }: PendingOrdersProps) {
  const { id, precision } = instrument;
  const topOfBook = useTopOfBook(id);
  const { data: settings } = useAccountSettings();
  const latest = quotedPrice(live.bars().at(-1)?.close ?? Number.NaN, precision);
  const judged = latest && sidePrices(latest, settings?.judgedAtQuote ? topOfBook : undefined);
  return SIDES.map((side) => {
    const text = pendingText(side, target, judged?.[side]);
    return (
      text && (
        <Row key={side} title={text.name} detail={text.distance} onClick={() => onChoose(side)} />
      )
    );
  });
}
