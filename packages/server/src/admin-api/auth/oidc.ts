import type { OidcConfig } from '../../domain/console.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Claims } from './oidc-access.ts';
import type { Begun } from './oidc-client.ts';

export interface Oidc {
  readonly config: OidcConfig;
  begin(callback: string): Promise<Begun>;
  /** Rejects where the provider does not vouch for it, or is away. */
  finish(callback: URL, begun: Omit<Begun, 'url'>): Promise<Claims>;
}

/** Providers change their keys, so their metadata expires. */
const metadataMs = 600_000;

/**
 * Loads and asks nothing before the first login: a provider that is away ends only logins by it.
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
    if (known !== undefined && nowMs - known.atMs < metadataMs) return known.provider;
    const pending = { provider: discovered(config), atMs: nowMs };
    known = pending;
    pending.provider.catch(() => {
      // What failed is no answer to the next who logs in.
      if (known === pending) known = undefined;
    });
    return pending.provider;
  }
}

async function discovered(config: OidcConfig) {
  const { discover } = await import('./oidc-client.ts');
  return discover(config);
}
