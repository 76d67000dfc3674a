import type { OidcConfig } from '../../domain/console.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Claims } from './oidc-access.ts';
import type { Begun } from './oidc-client.ts';

/** Logins by a company's own accounts. */
export interface Oidc {
  readonly config: OidcConfig;
  /** Where a browser is sent; rejects while the provider is away. */
  begin(callback: string): Promise<Begun>;
  /** What the provider vouches for; rejects where it does not, or is away. */
  finish(callback: URL, begun: Omit<Begun, 'url'>): Promise<Claims>;
}

/** Keys of providers change: what they say of themselves is asked for anew. */
const keptMs = 600_000;

/**
 * Nothing is asked of the provider before the first login, and the library is not loaded: one that
 * is away ends logins by it alone.
 */
export function createOidc(config: OidcConfig, clock: Pick<Clock, 'monotonic'>): Oidc {
  const library = () => import('./oidc-client.ts');
  let known:
    | { readonly provider: ReturnType<typeof discovered>; readonly atMs: number }
    | undefined;
  return {
    config,
    async begin(callback) {
      const { begin } = await library();
      return begin(await provider(), config, callback);
    },
    async finish(callback, begun) {
      const { finish } = await library();
      return finish(await provider(), config, callback, begun);
    },
  };

  function provider() {
    const nowMs = clock.monotonic();
    if (known !== undefined && nowMs - known.atMs < keptMs) return known.provider;
    const asked = { provider: discovered(config), atMs: nowMs };
    known = asked;
    asked.provider.catch(() => {
      // What failed is no answer to the next who logs in.
      if (known === asked) known = undefined;
    });
    return asked.provider;
  }
}

async function discovered(config: OidcConfig) {
  const { discover } = await import('./oidc-client.ts');
  return discover(config);
}
