/** True for an address that only this machine can reach; one of a URL may stand in brackets. */
export function isLoopback(address: string): boolean {
  const host = address.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
