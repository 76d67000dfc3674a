import type { Script } from '@model-gateway/simulator';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../../src/admin/apps.ts';
import type { AppSettings } from '../../../src/domain/app.ts';
import { parseUsd } from '../../../src/lib/money.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { openStack, type Stack } from '../../support/stack.ts';
import { toldRows } from './told.ts';

/** Where the ledger is. */
export const storeKinds = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** A service that streams, for all tests of a file; each test has an app of its own. */
export interface House {
  readonly stack: Stack;
  /** An app with a budget of 5 USD; `settings` replace what they name. */
  newApp(settings?: Partial<AppSettings>): Promise<string>;
}

/** A wallet's worth of credits for each user. */
export const metered: Partial<AppSettings> = {
  credits: { monthlyGrantPicoUsd: 10n ** 12n, picoUsdPerCredit: 10n ** 10n },
};

/** Bounds that the tests reckon with, in virtual milliseconds. */
export const bounds = {
  ...{ firstMs: 20_000, idleMs: 15_000, totalMs: 60_000, stallMs: 8_000 },
  ...{ drainMs: 50_000 },
} as const;

/** What a house is made with. */
export interface HouseOptions {
  readonly script?: Script;
  /** YAML of the key `streams`; `bounds` unless told otherwise. */
  readonly streams?: string;
  /** YAML of what the platform has besides, such as `onLeft: cut`. */
  readonly platform?: string;
  /** YAML of the key `limits`. */
  readonly limits?: string;
}

const { firstMs, idleMs, totalMs, stallMs, drainMs } = bounds;
const ownStreams = `{ firstMs: ${firstMs}, idleMs: ${idleMs}, totalMs: ${totalMs}, stallMs: ${stallMs} }`;

/** The configuration of a house, at a store. */
export function houseYaml(store: string, options: HouseOptions = {}): string {
  const { streams = ownStreams, platform = '', limits = `{ drainMs: ${drainMs} }` } = options;
  return `
company: acme
store: "${store}"
streaming: true
streams: ${streams}
limits: ${limits}
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
platforms:
  sandbox: { kind: simulator${platform === '' ? '' : `, ${platform}`} }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: quiet, dailyBudgetUsd: "5", streaming: false }
${toldRows()}`;
}

/** Opens a house before the tests of a file or a `describe`, and closes it after them. */
export function openHouse(kind: StoreKind, options: HouseOptions = {}): () => House {
  let postgres: TestPostgres | undefined;
  let house: House | undefined;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    const { script } = options;
    const stack = await openStack({
      yaml: houseYaml(store, options),
      ...(script === undefined ? {} : { script }),
      // In virtual time the server's clock means nothing.
      wrapStore: ({ clock: _, ...rest }) => rest,
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

function appsOf(stack: Stack): House['newApp'] {
  let apps = 0;
  return async (settings = {}) => {
    apps += 1;
    const name = `app-${apps}`;
    await createApp(stack.admin, name, { dailyBudgetPicoUsd: parseUsd('5'), ...settings });
    await stack.clock.run(stack.service.registry.refresh());
    return name;
  };
}
