import { BlockList, isIP } from 'node:net';
import type { Head } from './head.ts';

type Header = Head['header'];

/** Where requests come from, as far as logs and limits are told. */
export interface Peers {
  /** Whether an address is that of a proxy which may say for which client it asks. */
  isProxy(address: string | undefined): boolean;
  /**
   * The network of a client: `192.0.2.0/24`, `2001:db8:1::/48`; undefined where there is none to
   * know. Of a proxy's requests it is the client that `x-forwarded-for` names.
   */
  networkOf(address: string | undefined, header: Header): string | undefined;
}

/** `trustedProxies` are addresses, or networks such as `10.0.0.0/8`. */
export function createPeers(trustedProxies: readonly string[] = []): Peers {
  const trusted = new BlockList();
  for (const text of trustedProxies) {
    const [address = '', bits] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const hasProxies = trustedProxies.length > 0;
  const networks = new Map<string, string>();
  return { isProxy, networkOf };

  function isProxy(address: string | undefined): boolean {
    if (!hasProxies || address === undefined) return false;
    const plain = plainOf(address);
    return trusted.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  }

  function networkOf(address: string | undefined, header: Header) {
    if (address === undefined) return undefined;
    const client = isProxy(address) ? clientOf(address, header('x-forwarded-for')) : address;
    const known = networks.get(client);
    if (known !== undefined) return known;
    const network = shortened(plainOf(client));
    if (networks.size >= networksMax) networks.clear();
    networks.set(client, network);
    return network;
  }

  /** Each proxy adds at the end who asked it: what the last stranger says of others is hearsay. */
  function clientOf(proxy: string, forwardedFor: string | undefined): string {
    let client = proxy;
    for (const entry of forwardedFor?.split(',').toReversed() ?? []) {
      const address = addressIn(entry.trim());
      if (isIP(address) === 0) return client;
      client = address;
      if (!isProxy(address)) return client;
    }
    return client;
  }
}

/** Of so many addresses the network is remembered: most requests come from few of them. */
const networksMax = 1_000;

/** Some proxies add the port. */
function addressIn(entry: string): string {
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1];
  return inBrackets ?? entry.replace(/^([\d.]+):\d+$/, '$1');
}

/** Without its zone; an IPv4 address that a socket for both kinds has dressed up is one again. */
function plainOf(address: string): string {
  const [plain = ''] = address.split('%');
  return /^::ffff:([\d.]+)$/i.exec(plain)?.[1] ?? plain;
}

/** Who it is by far more than a person's line: a /24, or a /48 as sites have. */
function shortened(address: string): string {
  if (!address.includes(':')) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  const [front = '', back] = address.split('::');
  const groups = front === '' ? [] : front.split(':');
  if (back !== undefined) {
    const behind = back === '' ? 0 : back.split(':').length;
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - behind) }, () => '0'));
    groups.push(...back.split(':'));
  }
  const site = groups.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${site.join(':')}::/48`;
}
