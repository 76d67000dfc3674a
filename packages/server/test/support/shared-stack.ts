import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../src/admin/apps.ts';
import type { AppSettings } from '../../src/domain/app.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { openStack, type Stack, type StackOptions } from './stack.ts';

/** One stack for all tests of a file: each gets an app, and so books, of its own. */
export interface SharedStack {
  readonly stack: Stack;
  /** A new app with a budget of 5 USD; `settings` replace what they name. */
  newApp(settings?: Partial<AppSettings>): Promise<string>;
}

/** Opens a stack before the tests of a file, and closes it after them. */
export function sharedStack(options: StackOptions = {}): () => SharedStack {
  let shared: SharedStack | undefined;
  beforeAll(async () => {
    const stack = await openStack(options);
    let apps = 0;
    shared = {
      stack,
      async newApp(settings = {}) {
        apps += 1;
        const name = `app-${apps}`;
        await createApp(stack.admin, name, { dailyBudgetPicoUsd: parseUsd('5'), ...settings });
        await stack.clock.run(stack.service.registry.refresh());
        return name;
      },
    };
  });
  afterAll(() => shared?.stack.close());
  return () => {
    if (shared === undefined) throw new Error('the stack is open within tests alone');
    return shared;
  };
}
