import { OrdersPane } from './OrdersPane';

/** The pending orders as a panel of the workspace. */
export default function PendingPane() {
  return <OrdersPane status="pending" />;
}
