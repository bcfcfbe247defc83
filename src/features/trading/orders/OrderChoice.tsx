import { useState } from 'react';
import type { Order } from '#domain/trading/order';
import { Sheet } from '../../../ui/Sheet';
import { OrderRow } from './OrderRow';
import { OrderSheet } from './OrderSheet';

interface OrderChoiceProps {
  orders: readonly Order[] | undefined;
  onClose(): void;
}

/** The details of an order; of several orders of an instrument, a list to choose one first. */
export default function OrderChoice({ orders, onClose }: OrderChoiceProps) {
  const [chosen, choose] = useState<Order>();
  const only = orders?.length === 1 ? orders[0] : undefined;
  return (
    <>
      <Sheet
        open={orders !== undefined && !only && !chosen}
        onClose={onClose}
        title={orders?.[0]?.name ?? ''}
      >
        {orders?.map((order) => (
          <OrderRow key={order.id} order={order} onOpen={choose} />
        ))}
      </Sheet>
      <OrderSheet
        order={chosen ?? only}
        view="fields"
        onClose={() => {
          choose(undefined);
          onClose();
        }}
      />
    </>
  );
}
