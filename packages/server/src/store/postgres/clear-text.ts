import { isIP } from 'node:net';

const safeModes: readonly string[] = ['verify-full', 'verify-ca'];

/** Undefined where nobody can read or change the traffic. Never contains the URL's password. */
export function clearTextWarning(url: string): string | undefined {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  if (isThisMachine(host)) return undefined;
  const mode = searchParams.get('sslmode');
  if (mode !== null && safeModes.includes(mode)) return undefined;
  const said = mode === null ? 'names no sslmode' : `says sslmode=${mode}`;
  return `the store's URL ${said}, so nothing makes sure that only ${host} reads what is sent there: add sslmode=verify-full, and sslrootcert=FILE where its certificate is of an authority of your own`;
}

/** A path is a socket of this machine. */
function isThisMachine(host: string): boolean {
  if (host === '' || host.startsWith('/') || host.startsWith('%2F')) return true;
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === 'localhost' || name === '::1';
}
