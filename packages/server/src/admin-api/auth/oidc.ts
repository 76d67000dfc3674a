import type { OidcConfig } from '../../domain/console.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Claims } from './oidc-access.ts';
import type { Begun } from './oidc-client.ts';

export interface Oidc {
  readonly config: OidcConfig;
  begin(callback: string): Promise<Begun>;
  /** Rejects if the provider does not confirm the login, or is unavailable. */
  finish(callback: URL, begun: Omit<Begun, 'url'>): Promise<Claims>;
}

/** Providers change their keys, so their metadata expires. */
const metadataMs = 600_000;

/**
 * Loads and requests nothing before the first login: an unavailable provider breaks only its
 * logins.
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
      // A failure must not apply to the next login.
      if (known === pending) known = undefined;
    });
    return pending.provider;
  }
}

async function discovered(config: OidcConfig) {
  const { discover } = await import('./oidc-client.ts');
  return discover(config);
}
