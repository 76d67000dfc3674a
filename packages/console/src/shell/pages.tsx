import { lazy, Route, Router } from 'preact-iso';
import { Today } from '../pages/today/today.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { en } from '../text/en.ts';

const Calls = lazy(() => import('../pages/calls/calls.tsx').then(({ CallsPage }) => CallsPage));
const Receipt = lazy(() =>
  import('../pages/receipt/receipt.tsx').then(({ ReceiptPage }) => ReceiptPage),
);

const Spend = lazy(() => import('../pages/spend/spend.tsx').then(({ SpendPage }) => SpendPage));
const Apps = lazy(() => import('../pages/apps/apps.tsx').then(({ AppsView }) => AppsView));
const Budgets = lazy(() =>
  import('../pages/budgets/budgets.tsx').then(({ BudgetsView }) => BudgetsView),
);
const App = lazy(() => import('../pages/app/app.tsx').then(({ AppView }) => AppView));
const Keys = lazy(() => import('../pages/keys/keys.tsx').then(({ KeysView }) => KeysView));
const Rotate = lazy(() => import('../pages/keys/rotate.tsx').then(({ RotateKey }) => RotateKey));
const Models = lazy(() =>
  import('../pages/models/models.tsx').then(({ ModelsView }) => ModelsView),
);
const Health = lazy(() =>
  import('../pages/health/health.tsx').then(({ HealthView }) => HealthView),
);
const Reconcile = lazy(() =>
  import('../pages/reconcile/reconcile.tsx').then(({ ReconcileView }) => ReconcileView),
);
const Activity = lazy(() =>
  import('../pages/activity/activity.tsx').then((page) => page.ActivityView),
);
const Access = lazy(() => import('../pages/access/access.tsx').then((page) => page.AccessView));

export function Pages() {
  return (
    <Router onRouteChange={focusContent}>
      <Route path="/console" component={Today} />
      <Route path="/console/login" component={Today} />
      <Route path="/console/calls" component={Calls} />
      <Route path="/console/calls/:id" component={Receipt} />
      <Route path="/console/spend" component={Spend} />
      <Route path="/console/budgets" component={Budgets} />
      <Route path="/console/apps" component={Apps} />
      <Route path="/console/apps/:app" component={App} />
      <Route path="/console/keys" component={Keys} />
      <Route path="/console/keys/:id/rotate" component={Rotate} />
      <Route path="/console/models" component={Models} />
      <Route path="/console/health" component={Health} />
      <Route path="/console/reconcile" component={Reconcile} />
      <Route path="/console/activity" component={Activity} />
      <Route path="/console/access" component={Access} />
      <Route default component={NotFound} />
    </Router>
  );
}

function NotFound() {
  return <PageHead title={en.notFound} />;
}

function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}
