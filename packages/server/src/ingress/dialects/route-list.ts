interface Row {
  readonly method: string;
  readonly path: string;
}

export function routeListOf(rows: readonly Row[]): string {
  return rows.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`).join(', ');
}
