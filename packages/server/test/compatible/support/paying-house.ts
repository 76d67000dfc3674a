import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../../src/admin/apps.ts';
import type { AppSettings } from '../../../src/domain/app.ts';
import { parseUsd } from '../../../src/lib/money.ts';
import { toldRows } from '../../streams/support/told.ts';
import { asPrompted } from '../../support/platform-outcomes.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { openStack, type Stack, type StackOptions } from '../../support/stack.ts';

/** A service with all compatible routes; each test has an app of its own. */
export interface PayingHouse {
  readonly stack: Stack;
  newApp(settings?: Partial<AppSettings>): Promise<string>;
}

/** What a house has besides. */
export interface PayingHouseOptions {
  /** Model rows. */
  readonly more?: string;
  /** YAML of the key `limits`. */
  readonly limits?: string;
  /** What the platforms do; what prompts say unless told otherwise. */
  readonly script?: StackOptions['script'];
  /** Wraps the store, to break it. */
  readonly wrapStore?: StackOptions['wrapStore'];
}

function yamlOf(store: string, { more = '', limits = '{ drainMs: 50000 }' }: PayingHouseOptions) {
  return `
company: acme
store: "${store}"
streaming: true
streams: { firstMs: 20000, idleMs: 15000, totalMs: 60000, stallMs: 8000 }
limits: ${limits}
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
ingress: { openai: true, anthropic: true }
platforms: { sandbox: { kind: simulator }, second: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
${toldRows()}
  - id: told-embeddings
    platform: sandbox
    upstreamModel: sim-embed-told
    kind: embeddings
    inputUsdPerMillion: "0.02"
${more}`;
}

/** Opens one before the tests of a `describe`, and closes it after them. */
export function openPayingHouse(
  kind: 'sqlite' | 'postgres',
  options: PayingHouseOptions = {},
): () => PayingHouse {
  let postgres: TestPostgres | undefined;
  let house: PayingHouse | undefined;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    const stack = await openStack({
      yaml: yamlOf(store, options),
      script: options.script ?? asPrompted(),
      // In virtual time the server's clock means nothing.
      wrapStore: ({ clock: _, ...rest }) => options.wrapStore?.(rest) ?? rest,
    });
    house = { stack, newApp: appsOf(stack) };
  });
  afterAll(async () => {
    await house?.stack.close();
    await postgres?.close();
  });
  return () => {
    if (house === undefined) throw new Error('the house is open within tests alone');
    return house;
  };
}

function appsOf(stack: Stack): PayingHouse['newApp'] {
  let apps = 0;
  return async (settings = {}) => {
    apps += 1;
    const name = `app-${apps}`;
    await createApp(stack.admin, name, { dailyBudgetPicoUsd: parseUsd('5'), ...settings });
    await stack.clock.run(stack.service.registry.refresh());
    return name;
  };
}
