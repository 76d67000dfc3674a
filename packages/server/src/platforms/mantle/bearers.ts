import type { Clock } from '../../lib/clock.ts';
import type { MintedBearer } from './mint-bearer.ts';

export interface Bearers {
  /** Throws a CredentialsError when there is none. */
  current(): Promise<string>;
  another(refused: string): Promise<string | undefined>;
  /** For redaction in logs; undefined before the first. */
  inUse(): string | undefined;
}

export type MintBearer = (about: { isRefused: boolean }) => Promise<MintedBearer>;

export function fixedBearer(apiKey: string): Bearers {
  const known = Promise.resolve(apiKey);
  return { current: () => known, another: () => Promise.resolve(undefined), inUse: () => apiKey };
}

/**
 * A younger bearer was rejected for another reason, such as a disabled model. Without this limit,
 * each such call would search credentials again.
 */
const youngMs = 60_000;

/** Renews bearers before they expire; mints one at a time. */
export function createMintedBearers(parts: {
  readonly mint: MintBearer;
  readonly clock: Clock;
}): Bearers {
  const { mint, clock } = parts;
  let latest: MintedBearer | undefined;
  let minting: Promise<MintedBearer> | undefined;
  return { current, another, inUse: () => latest?.bearer };

  async function current(): Promise<string> {
    const now = clock.now();
    if (latest === undefined || now >= latest.expiresAt) return (await renew(false)).bearer;
    if (now >= latest.renewAt) {
      renew(false).catch(() => {
        /* the current bearer still works; the call that finds it expired reports the error */
      });
    }
    return latest.bearer;
  }

  async function another(refused: string): Promise<string | undefined> {
    if (latest !== undefined && latest.bearer !== refused) return latest.bearer;
    if (latest !== undefined && clock.now() - latest.mintedAt < youngMs) return undefined;
    return (await renew(true)).bearer;
  }

  function renew(isRefused: boolean): Promise<MintedBearer> {
    minting ??= mint({ isRefused })
      .then((minted) => {
        latest = minted;
        return minted;
      })
      .finally(() => {
        minting = undefined;
      });
    return minting;
  }
}
