import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './addresses.ts';

/** The addresses of a host's name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** A host that is not to be connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Look-ups wait on threads of which Node has four, and calls need them as well: so many names that
 * no server answers for may wait there at once.
 */
const lookUpsMax = 2;

/** The system's own resolver, a name at a time where it is asked for twice, and few at once. */
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

/**
 * Looks names up for a socket: it is given those addresses alone that it may connect to, so that no
 * later answer for the same name takes it elsewhere.
 */
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
