import { OrdersPane } from './OrdersPane';

/** The open positions as a panel of the workspace. */
export default function PositionsPane() {
  return <OrdersPane status="holding" />;
}
