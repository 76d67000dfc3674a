import { isIP } from 'node:net';

/** The header fields that say which page a browser's request comes from. */
export interface Origins {
  readonly host: string | undefined;
  readonly fetchSite: string | undefined;
}

/**
 * Tells requests that a page of another site has made an operator's browser send: such a page may
 * have its own name point at this listener, and read every answer. Answers what is wrong with a
 * request, undefined for those of operators and their machines. `hosts` are names of this listener.
 */
export function createOriginCheck(
  hosts: readonly string[],
): (origins: Origins) => string | undefined {
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  return ({ host, fetchSite }) => {
    if (fetchSite !== undefined && fetchSite !== 'none' && fetchSite !== 'same-origin') {
      return 'a page of another site asks for this';
    }
    // A client without it is no browser.
    if (host === undefined) return undefined;
    const name = nameOf(host);
    if (known.has(name) || isOwn(name)) return undefined;
    return `this listener is not known as ${JSON.stringify(name.slice(0, nameMax))}: name it in admin.hosts of the configuration`;
  };
}

const nameMax = 255;

/**
 * No page on the network can be at an address or at a name without a dot unless it is on this very
 * network: what a foreign page can choose is a name of its own domain.
 */
function isOwn(name: string): boolean {
  return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost');
}

/** The host without its port, as a name is compared. */
function nameOf(host: string): string {
  const [, literal] = /^\[([^\]]*)\](?::\d*)?$/.exec(host) ?? [];
  if (literal !== undefined) return literal;
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}
