import { existsSync } from 'node:fs';

/** Existing ids of a ledger. */
export interface LedgerIds {
  readonly app: string;
  readonly callId: string;
  readonly keyId: string;
}

const source = new URL('../../packages/console/src/pages/', import.meta.url);

/** Every page of the console: its address below `/console/`, by name. */
export function consolePages({ app, callId, keyId }: LedgerIds): Readonly<Record<string, string>> {
  const month = new Date().toISOString().slice(0, 7);
  return {
    today: '',
    calls: 'calls',
    dearest: 'calls?order=cost',
    receipt: `calls/${callId}`,
    spend: `spend?month=${month}&by=model&compare=true`,
    ...(has('budgets') && { budgets: 'budgets' }),
    reconcile: `reconcile?month=${month}`,
    apps: 'apps',
    app: `apps/${app}`,
    keys: 'keys',
    rotate: `keys/${keyId}/rotate`,
    models: 'models',
    health: 'health',
    activity: 'activity',
    access: 'access',
    ...(has('parts') && { parts: 'parts' }),
  };
}

/** Whether the sources have a page: a file or a folder of its name. */
function has(name: string): boolean {
  return existsSync(new URL(`${name}.tsx`, source)) || existsSync(new URL(`${name}/`, source));
}
