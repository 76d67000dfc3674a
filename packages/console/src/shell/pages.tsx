import { lazy, Route, Router } from 'preact-iso';
import { Today } from '../pages/today/today.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { en } from '../text/en.ts';

const money = () => import('../later/money.ts');
const manage = () => import('../later/manage.ts');

/** The pages that are not in the first load. */
const lazyPages = {
  '/console/calls': lazy(() => money().then((pages) => pages.CallsPage)),
  '/console/calls/:id': lazy(() => money().then((pages) => pages.ReceiptPage)),
  '/console/spend': lazy(() => money().then((pages) => pages.SpendPage)),
  '/console/health': lazy(() => money().then((pages) => pages.HealthView)),
  '/console/reconcile': lazy(() => money().then((pages) => pages.ReconcileView)),
  '/console/budgets': lazy(() => manage().then((pages) => pages.BudgetsView)),
  '/console/apps': lazy(() => manage().then((pages) => pages.AppsView)),
  '/console/apps/:app': lazy(() => manage().then((pages) => pages.AppView)),
  '/console/keys': lazy(() => manage().then((pages) => pages.KeysView)),
  '/console/keys/:id/rotate': lazy(() => manage().then((pages) => pages.RotateKey)),
  '/console/models': lazy(() => manage().then((pages) => pages.ModelsView)),
  '/console/activity': lazy(() => manage().then((pages) => pages.ActivityView)),
  '/console/access': lazy(() => manage().then((pages) => pages.AccessView)),
};

export function Pages() {
  return (
    <Router onRouteChange={focusContent}>
      <Route path="/console" component={Today} />
      <Route path="/console/login" component={Today} />
      {Object.entries(lazyPages).map(([path, component]) => (
        <Route key={path} path={path} component={component} />
      ))}
      <Route default component={NotFound} />
    </Router>
  );
}

/** Fetches the script of the page at a path, without waiting for the session. */
export function fetchPage(path: string): void {
  for (const [route, { preload }] of Object.entries(lazyPages)) {
    // The page that needs a missing script reports it.
    if (isOf(path, route)) preload().catch(() => undefined);
  }
}

function isOf(path: string, route: string): boolean {
  const parts = path.split('/');
  const routeParts = route.split('/');
  return (
    parts.length === routeParts.length &&
    routeParts.every((part, at) => part.startsWith(':') || part === parts[at])
  );
}

function NotFound() {
  return <PageHead title={en.notFound} />;
}

function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}
