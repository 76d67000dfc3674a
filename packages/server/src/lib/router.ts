export interface RoutePattern {
  /** `*` means any method. */
  readonly method: string;
  /** `:name` matches one path segment. */
  readonly path: string;
}

export interface RouteMatch<Route> {
  readonly route: Route;
  /** In the path's order, still encoded as sent. */
  readonly parameters: readonly string[];
}

export type Router<Route> = (method: string, path: string) => RouteMatch<Route> | undefined;

/** Routes without names in their path have precedence. */
export function createRouter<Route extends RoutePattern>(routes: readonly Route[]): Router<Route> {
  const exact = new Map<string, RouteMatch<Route>>();
  const named: { readonly route: Route; readonly pattern: RegExp }[] = [];
  for (const route of routes) {
    const { method, path } = route;
    if (path.includes('/:')) named.push({ route, pattern: patternOf(path) });
    else exact.set(`${method} ${path}`, { route, parameters: [] });
  }
  return (method, path) =>
    exact.get(`${method} ${path}`) ?? exact.get(`* ${path}`) ?? findNamed(method, path);

  function findNamed(method: string, path: string): RouteMatch<Route> | undefined {
    for (const { route, pattern } of named) {
      if (route.method !== method && route.method !== '*') continue;
      const match = pattern.exec(path);
      if (match !== null) return { route, parameters: match.slice(1) };
    }
    return undefined;
  }
}

function patternOf(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) =>
      part.startsWith(':') ? '([^/]+)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`^${parts.join('/')}$`);
}
