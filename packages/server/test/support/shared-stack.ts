import { afterAll, beforeAll } from 'vitest';
import type { AppSettings } from '../../src/domain/app.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { openStack, type Stack, type StackOptions } from './stack.ts';

export const storeKinds = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** One stack for all tests of a file: each gets its own app, and so its own ledger rows. */
export interface SharedStack {
  readonly stack: Stack;
  /** A new app with a budget of 5 USD; `settings` override the defaults. */
  newApp(settings?: Partial<AppSettings>): Promise<string>;
}

/** Opens a stack on SQLite before the tests of a file, and closes it after them. */
export function sharedStack(options: StackOptions = {}): () => SharedStack {
  return sharedOn('sqlite', async () => withApps(await openStack(options)));
}

/**
 * Opens shared parts before the tests of a file or a `describe`, and closes them afterwards. `open`
 * gets the URL of an empty store of this kind.
 */
export function sharedOn<Shared extends { readonly stack: Stack }>(
  kind: StoreKind,
  open: (store: string) => Promise<Shared>,
): () => Shared {
  let postgres: TestPostgres | undefined;
  let shared: Shared | undefined;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    shared = await open((await postgres?.database()) ?? 'sqlite:./gateway.db');
  });
  afterAll(async () => {
    await shared?.stack.close();
    await postgres?.close();
  });
  return () => {
    if (shared === undefined) throw new Error('the stack is open within tests alone');
    return shared;
  };
}

export function withApps(stack: Stack): SharedStack {
  let apps = 0;
  return {
    stack,
    async newApp(settings = {}) {
      apps += 1;
      const name = `app-${apps}`;
      await createApp(stack.admin, name, { dailyBudgetPicoUsd: parseUsd('5'), ...settings });
      await stack.clock.run(stack.service.registry.refresh());
      return name;
    },
  };
}
