import { toldRows } from '../../streams/support/told.ts';
import { asPrompted } from '../../support/platform-outcomes.ts';
import { type StoreKind, sharedOn, withApps } from '../../support/shared-stack.ts';
import { openStack, type StackOptions } from '../../support/stack.ts';

export interface PayingHouseOptions {
  /** Model rows. */
  readonly more?: string;
  readonly unboundedInput?: 'refuse' | 'hold-context';
  /** YAML of the key `limits`. */
  readonly limits?: string;
  /** The behavior of the platforms; by default the prompt's instructions. */
  readonly script?: StackOptions['script'];
  /** Wraps the store, to break it. */
  readonly wrapStore?: StackOptions['wrapStore'];
}

function yamlOf(store: string, options: PayingHouseOptions) {
  const { more = '', limits = '{ drainMs: 50000 }', unboundedInput = 'refuse' } = options;
  return `
company: acme
store: "${store}"
streaming: true
streams: { firstMs: 20000, idleMs: 15000, totalMs: 60000, stallMs: 8000 }
limits: ${limits}
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
ingress: { openai: true, anthropic: true, unboundedInput: ${unboundedInput} }
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
export function openPayingHouse(kind: StoreKind, options: PayingHouseOptions = {}) {
  const { wrapStore, script = asPrompted() } = options;
  return sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        ...{ yaml: yamlOf(store, options), script },
        ...(wrapStore === undefined ? {} : { wrapStore }),
      }),
    ),
  );
}
