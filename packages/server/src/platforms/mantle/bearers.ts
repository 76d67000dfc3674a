import type { Clock } from '../../lib/clock.ts';
import type { MintedBearer } from './mint-bearer.ts';

/** What stands behind `authorization: Bearer`. */
export interface Bearers {
  /** The bearer of a request that is made now. Throws a CredentialsError when there is none. */
  current(): Promise<string>;
  /** One in place of a bearer that was refused; undefined when no other would be better. */
  another(refused: string): Promise<string | undefined>;
  /** The one that is in use, for it must not be logged; undefined before the first. */
  inUse(): string | undefined;
}

/** Makes a bearer; with `isRefused` from credentials that are looked for again. */
export type MintBearer = (about: { isRefused: boolean }) => Promise<MintedBearer>;

/** A key that the operator made and put into the configuration. */
export function fixedBearer(apiKey: string): Bearers {
  const known = Promise.resolve(apiKey);
  return { current: () => known, another: () => Promise.resolve(undefined), inUse: () => apiKey };
}

/**
 * A bearer this young was refused for another reason, such as a model that is not enabled: else
 * every such call would look for credentials again.
 */
const youngMs = 60_000;

/** Bearers that are minted, kept until they end, and renewed ahead of it; one minting at a time. */
export function createMintedBearers(parts: {
  readonly mint: MintBearer;
  readonly clock: Clock;
}): Bearers {
  const { mint, clock } = parts;
  let kept: MintedBearer | undefined;
  let minting: Promise<MintedBearer> | undefined;
  return { current, another, inUse: () => kept?.bearer };

  async function current(): Promise<string> {
    const now = clock.now();
    if (kept === undefined || now >= kept.expiresAt) return (await renew(false)).bearer;
    if (now >= kept.renewAt) {
      renew(false).catch(() => {
        /* this one still serves; the call that finds it ended says what is wrong */
      });
    }
    return kept.bearer;
  }

  async function another(refused: string): Promise<string | undefined> {
    if (kept !== undefined && kept.bearer !== refused) return kept.bearer;
    if (kept !== undefined && clock.now() - kept.mintedAt < youngMs) return undefined;
    return (await renew(true)).bearer;
  }

  function renew(isRefused: boolean): Promise<MintedBearer> {
    minting ??= mint({ isRefused })
      .then((minted) => {
        kept = minted;
        return minted;
      })
      .finally(() => {
        minting = undefined;
      });
    return minting;
  }
}
