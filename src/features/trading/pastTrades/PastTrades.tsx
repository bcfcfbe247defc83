import { useEffect, useState } from 'react';
import { add, toNumber } from '#domain/core/decimal';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { netResult } from '#domain/trading/profit';
import type { Trade } from '#domain/trading/results';
import { formatCount, formatDateTime, formatExact, formatPrice } from '../../../i18n/format';
import { language, t, useT } from '../../../i18n/i18n';
import { Row } from '../../../ui/Row';
import { Sheet } from '../../../ui/Sheet';
import { useValue } from '../../../useValue';
import { chartColours, onThemeChange } from '../chart/chartColours';
import type { LiveChart } from '../chart/liveChart';
import { OrderSheet } from '../orders/OrderSheet';
import { profitText } from '../orders/profitText';
import { createTradeLayer, type TradeLayer } from './tradeLayer';
import { watchPresses } from './tradePress';
import { useTrades } from './useTrades';

export interface PastTradesProps {
  live: LiveChart;
  instrument: Instrument;
}

/** A view that has not moved for this long rests, ms. */
const REST_MS = 300;

/** The user's past trades as marks in the chart, and the sheets that tell of them (screens.md#past-trades). */
export default function PastTrades({ live, instrument: { id } }: PastTradesProps) {
  const shownLanguage = useValue(language);
  const space = useValue(live.space);
  const [layer, setLayer] = useState<TradeLayer>();
  const [from, setFrom] = useState<UnixMs>();
  const [opened, open] = useState<readonly Trade[]>();
  const [chosen, choose] = useState<Trade>();
  const trades = useTrades(id, from);

  useEffect(() => {
    if (!space) return;
    let timer: number | undefined;
    // While the view moves, only where it comes to rest is asked for.
    const look = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        const oldest = made.oldestInSight();
        if (oldest === undefined) return;
        const time = toUnixMs(oldest * 1000);
        setFrom((known) => (known !== undefined && known <= time ? known : time));
      }, REST_MS);
    };
    const made = createTradeLayer(space, look);
    const stop = onThemeChange(() => made.colour(chartColours(space.host)));
    setLayer(made);
    return () => {
      window.clearTimeout(timer);
      stop();
      made.end();
      setLayer(undefined);
    };
  }, [space]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: results are written in the language
  useEffect(() => {
    if (!layer) return;
    layer.show(trades);
    live.annotate({
      note: (index) => sumAt(layer, index),
      figures: (index) => [
        { name: t('trade.past.title'), text: textsAt(layer, index).join(' · ') },
      ],
    });
    return () => live.annotate(undefined);
  }, [live, layer, trades, shownLanguage]);
  useEffect(() => {
    if (!space || !layer) return;
    return watchPresses(space, {
      near: layer.near,
      pointed() {
        const index = live.pointedTime.peek() === undefined ? undefined : live.legendIndex.peek();
        if (index === undefined) return [];
        return tradesAt(layer, index);
      },
      open(found) {
        if (found.length === 1) choose(found[0]);
        else open(found);
      },
    });
  }, [live, space, layer]);

  return (
    <>
      <TradeList
        trades={opened}
        onClose={() => open(undefined)}
        onChoose={(trade) => {
          open(undefined);
          choose(trade);
        }}
      />
      <OrderSheet order={chosen} view="fields" onClose={() => choose(undefined)} />
    </>
  );
}

function tradesAt(layer: TradeLayer, index: number): Trade[] {
  const { entries, exits } = layer.ofBar(index);
  return [...new Set([...entries, ...exits])];
}

/** How many trades a bar has, and what those that ended in it brought, in one line however many they are. */
function sumAt(layer: TradeLayer, index: number): string {
  const { length } = tradesAt(layer, index);
  if (length === 0) return '';
  const [first, ...others] = layer.ofBar(index).exits.map(netResult);
  const sum = first && others.reduce((one, other) => add(one, other), first);
  return t('common.labelled', {
    label: t('trade.past.title'),
    text: [formatCount(length), sum && profitText(sum)].filter(Boolean).join(' · '),
  });
}

/** What a bar opened and ended, in words. */
function textsAt(layer: TradeLayer, index: number): string[] {
  const { entries, exits } = layer.ofBar(index);
  return [
    ...entries.map((trade) =>
      t('trade.past.opened', { order: orderName(trade), price: priceOf(trade, trade.price) }),
    ),
    ...exits.map((trade) =>
      t('trade.past.ended', {
        order: orderName(trade),
        price: priceOf(trade, trade.updatePrice),
        profit: profitText(netResult(trade)),
      }),
    ),
  ];
}

function orderName({ side, lots }: Trade): string {
  return `${t(`orders.side.${side}`)} ${formatExact(lots)}`;
}

function priceOf({ precision }: Trade, price: Trade['price']): string {
  return formatPrice(toNumber(price), precision);
}

/** Several trades with marks at one place, to choose one. */
function TradeList({
  trades,
  onClose,
  onChoose,
}: {
  trades: readonly Trade[] | undefined;
  onClose(): void;
  onChoose(trade: Trade): void;
}) {
  useT();
  return (
    <Sheet open={trades !== undefined} onClose={onClose} title={t('trade.past.title')}>
      {trades?.map((trade) => (
        <Row
          key={trade.id}
          title={t('common.labelled', {
            label: orderName(trade),
            text: profitText(netResult(trade)),
          })}
          detail={formatDateTime(trade.completedAt)}
          onClick={() => onChoose(trade)}
        />
      ))}
    </Sheet>
  );
}
