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
 * A younger bearer was refused for another reason, such as a disabled model: otherwise each such
 * call would search credentials again.
 */
const youngMs = 60_000;

/** Renewed before they expire; one minting at a time. */
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
        /* this one still serves; the call that finds it ended says what is wrong */
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
