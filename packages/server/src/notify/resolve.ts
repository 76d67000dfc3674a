import type { LookupAddress } from 'node:dns';
import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The most concurrent look-ups. Look-ups block Node's four threads, which calls need too. */
const lookupsMax = 2;

/** Uses the system's resolver. Equal names share a look-up, and few run at once. */
export function createResolve(
  resolveName: Resolve = (hostname) => dns.promises.lookup(hostname, { all: true }),
): Resolve {
  const running = new Map<string, ReturnType<Resolve>>();
  const waiting: (() => void)[] = [];
  let lookups = 0;
  return (hostname) => {
    const pending = running.get(hostname);
    if (pending !== undefined) return pending;
    const started = waitForTurn()
      .then(() => resolveName(hostname))
      .finally(() => {
        running.delete(hostname);
        lookups -= 1;
        waiting.shift()?.();
      });
    running.set(hostname, started);
    return started;
  };

  async function waitForTurn() {
    if (lookups >= lookupsMax) await new Promise<void>((resolve) => waiting.push(resolve));
    lookups += 1;
  }
}

/** Gives the socket only allowed addresses, so a later DNS response cannot redirect it. */
export function lookupFor(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first, ...more] = addresses.filter(
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

// Addresses that a public host never has. Sources: the IANA registries of special-purpose
// addresses, and clouds' documents about addresses that respond only to their own machines.
const special4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['161.26.0.0', 16], // services of IBM Cloud, only for its machines
  ['166.8.0.0', 14], // the same
  ['168.63.129.16', 32], // the host of a machine in Azure
  ['169.254.0.0', 16], // link-local; clouds serve a machine's credentials here
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const;

/** Special ranges in `2000::/3`; every address outside it is also not public. */
const special6 = [
  ['2001::', 23], // tunnels and protocol assignments
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['3fff::', 20], // documentation
] as const;

const blocked = new BlockList();
for (const [network, bits] of special4) blocked.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of special6) blocked.addSubnet(network, bits, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
/** The prefix of IPv4 through NAT64. RFC 6052, section 2.1. */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/**
 * True for addresses of the public Internet, in any notation: not local, private or special. False
 * for invalid text.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !blocked.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  const inner = translated.check(address, 'ipv6') ? innerOf(address) : undefined;
  if (inner !== undefined) return isPublicAddress(inner);
  return global6.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

/** Returns the IPv4 address of the last 32 bits. */
function innerOf(address: string): string {
  // A URL writes the last 32 bits, in either notation, as two hexadecimal groups.
  const { hostname } = new URL(`http://[${address}]/`);
  const [, , ...groups] = hostname.slice(1, -1).split(':');
  const ends = groups.filter((group) => group !== '').map((group) => Number.parseInt(group, 16));
  const [high = 0, low = 0] = ends.length > 1 ? ends.slice(-2) : [0, ends.at(-1)];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
