import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './addresses.ts';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Look-ups block Node's four threads, which calls need too: unanswered names may take this many.
 */
const lookUpsMax = 2;

/** The system's resolver; equal names share a look-up, and few run at once. */
export function createResolve(
  ask: Resolve = (hostname) => dns.promises.lookup(hostname, { all: true }),
): Resolve {
  const running = new Map<string, ReturnType<Resolve>>();
  const waiting: (() => void)[] = [];
  let lookUps = 0;
  return (hostname) => {
    const known = running.get(hostname);
    if (known !== undefined) return known;
    const asked = turn()
      .then(() => ask(hostname))
      .finally(() => {
        running.delete(hostname);
        lookUps -= 1;
        waiting.shift()?.();
      });
    running.set(hostname, asked);
    return asked;
  };

  async function turn() {
    if (lookUps >= lookUpsMax) await new Promise<void>((resolve) => waiting.push(resolve));
    lookUps += 1;
  }
}

/** The socket gets only allowed addresses, so a later DNS answer cannot redirect it. */
export function lookupFor(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const [first, ...more] = found.filter(
          ({ address }) => allowPrivate || isPublicAddress(address),
        );
        if (first === undefined) callback(new AddressRefused('address'), []);
        else if (options.all === true) callback(null, [first, ...more]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
