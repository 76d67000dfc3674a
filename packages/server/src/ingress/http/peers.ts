import { BlockList, isIP } from 'node:net';
import type { Head } from './head.ts';

type Header = Head['header'];

export interface Peers {
  /** Trusted to name its client. */
  isProxy(address: string | undefined): boolean;
  /**
   * `192.0.2.0/24`, `2001:db8:1::/48`; undefined if unknown. For a proxy, the client in
   * `x-forwarded-for`.
   */
  networkOf(address: string | undefined, header: Header): string | undefined;
}

/** Addresses, or networks such as `10.0.0.0/8`. */
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
    const isNamed = hasProxies && isProxy(address);
    const client = isNamed ? clientOf(address, header('x-forwarded-for')) : address;
    const known = networks.get(client);
    if (known !== undefined) return known;
    const network = shortened(plainOf(client));
    if (networks.size >= networksMax) networks.clear();
    networks.set(client, network);
    return network;
  }

  /** Proxies append entries. Entries before the last untrusted one are not trustworthy. */
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

const networksMax = 1_000;

/** Some proxies add the port. */
function addressIn(entry: string): string {
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1];
  return inBrackets ?? entry.replace(/^([\d.]+):\d+$/, '$1');
}

function plainOf(address: string): string {
  const [plain = ''] = address.split('%');
  return /^::ffff:([\d.]+)$/i.exec(plain)?.[1] ?? plain;
}

/** Privacy: a /24, or a site's usual /48, covers far more than one person's line. */
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
