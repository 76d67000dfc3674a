// Pages that are often opened one after the other: the browser fetches them together.
export { CallsPage } from '../pages/calls/calls.tsx';
export { FirstCall } from '../pages/first-call/first-call.tsx';
export { HealthView } from '../pages/health/health.tsx';
export { ReceiptPage } from '../pages/receipt/receipt.tsx';
export { ReconcileView } from '../pages/reconcile/reconcile.tsx';
export { SpendPage } from '../pages/spend/spend.tsx';
