import type { Script } from '@model-gateway/simulator';
import type { AppSettings } from '../../../src/domain/app.ts';
import {
  type SharedStack,
  type StoreKind,
  sharedOn,
  withApps,
} from '../../support/shared-stack.ts';
import { openStack } from '../../support/stack.ts';
import { toldRows } from './told.ts';

/** A wallet's worth of credits for each user. */
export const metered: Partial<AppSettings> = {
  credits: { monthlyGrantPicoUsd: 10n ** 12n, picoUsdPerCredit: 10n ** 10n },
};

/** Limits of the tests, in virtual milliseconds. */
export const bounds = {
  ...{ firstMs: 20_000, idleMs: 15_000, totalMs: 60_000, stallMs: 8_000 },
  ...{ drainMs: 50_000 },
} as const;

/** The options of a house. */
export interface HouseOptions {
  readonly script?: Script;
  /** YAML of the key `streams`; `bounds` by default. */
  readonly streams?: string;
  /** YAML of more keys of the platform, such as `onLeft: cut`. */
  readonly platform?: string;
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
export function openHouse(kind: StoreKind, options: HouseOptions = {}): () => SharedStack {
  const { script } = options;
  return sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        yaml: houseYaml(store, options),
        ...(script === undefined ? {} : { script }),
      }),
    ),
  );
}
