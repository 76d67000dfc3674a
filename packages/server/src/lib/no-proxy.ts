import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

export type DirectCheck = (host: string, port: number) => boolean;

const charactersMax = 16_384;

const always = 'localhost,127.0.0.0/8,[::1]';

interface Hosts {
  isAll: boolean;
  readonly names: Set<string>;
  readonly addresses: BlockList;
}

/**
 * Accepts names with their subdomains, addresses, networks and `*`, each with an optional port,
 * separated by commas or white space.
 */
export function parseNoProxy(text: string): DirectCheck | { readonly problem: string } {
  if (text.length > charactersMax) return { problem: `is longer than ${charactersMax} characters` };
  const byPort = new Map<number | undefined, Hosts>();
  const entries = `${always},${text}`.split(/[\s,]/).filter((entry) => entry !== '');
  for (const entry of entries) {
    if (!add(byPort, entry)) {
      return {
        problem: `has ${JSON.stringify(entry.slice(0, 60))}, which is not a host; use for example .example.com, 10.0.0.0/8, [::1]:8080 or *`,
      };
    }
  }
  return (host, port) => [undefined, port].some((key) => isIn(byPort.get(key), host));
}

function add(byPort: Map<number | undefined, Hosts>, entry: string): boolean {
  const { host, port: digits } = split(entry);
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && !(/^\d{1,5}$/.test(digits ?? '') && port > 0 && port < 65_536)) {
    return false;
  }
  const hosts = byPort.get(port) ?? { isAll: false, names: new Set(), addresses: new BlockList() };
  byPort.set(port, hosts);
  if (host === '*') {
    hosts.isAll = true;
    return true;
  }
  return addAddress(hosts.addresses, host) || addName(hosts.names, host);
}

/** `name:80`, `10.0.0.1:80`, `[::1]:80`, or without a port. */
function split(entry: string): { readonly host: string; readonly port?: string } {
  const bracket = entry.startsWith('[') ? entry.indexOf(']') : -1;
  if (bracket > 0) {
    const [host, rest] = [entry.slice(1, bracket), entry.slice(bracket + 1)];
    if (isIP(host) !== 6) return { host: '' };
    if (rest === '' || rest.startsWith('/')) return { host: host + rest };
    return rest.startsWith(':') ? { host, port: rest.slice(1) } : { host: '' };
  }
  const colon = entry.indexOf(':');
  // Two colons indicate IPv6.
  if (colon < 0 || entry.includes(':', colon + 1)) return { host: entry };
  return { host: entry.slice(0, colon), port: entry.slice(colon + 1) };
}

function addAddress(addresses: BlockList, text: string): boolean {
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const bits = slash < 0 ? undefined : text.slice(slash + 1);
  if (bits === undefined) {
    addresses.addAddress(address, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  addresses.addSubnet(address, Number(bits), family);
  return true;
}

/** As in curl, a leading dot is ignored; people also write `*.`. */
function addName(names: Set<string>, text: string): boolean {
  const name = domainToASCII(text.replace(/^\*?\./, '').replace(/\.$/, ''));
  if (!/^[a-z0-9_][a-z0-9_.-]*$/.test(name) || isIP(name) !== 0) return false;
  names.add(name);
  return true;
}

function isIn(hosts: Hosts | undefined, host: string): boolean {
  if (hosts === undefined) return false;
  if (hosts.isAll) return true;
  const address = host.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  if (version !== 0) return hosts.addresses.check(address, version === 4 ? 'ipv4' : 'ipv6');
  const name = host.toLowerCase().replace(/\.$/, '');
  for (let from = 0; from >= 0; from = name.indexOf('.', from) + 1 || -1) {
    if (hosts.names.has(name.slice(from))) return true;
  }
  return false;
}
