import { OrdersView } from './OrdersView';

/** The pending orders as a panel of the workspace. */
export default function PendingPanel() {
  return <OrdersView status="pending" />;
}
