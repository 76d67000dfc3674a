/** Hosts that were warned of: a program may make a client for each of its requests. */
const warned = new Set<string>();

/** This machine, and names that no network has: of tests, and of the fake (RFC 6761). */
const near = /^(localhost|.+\.(localhost|test|invalid)|127(\.\d+){3}|\[::1\])$/;

/** Warns once of a host that gets the key unencrypted; other runtimes than Node stay silent. */
export function warnOfClearText(baseUrl: string): void {
  const { protocol, host, hostname } = new URL(baseUrl);
  if (protocol !== 'http:' || near.test(hostname) || warned.has(host)) return;
  warned.add(host);
  globalThis.process?.emitWarning?.(
    `createClient: ${host} gets the API key unencrypted; use https, or allowInsecure: true`,
  );
}
