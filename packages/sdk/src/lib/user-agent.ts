import { version } from './version.ts';

/**
 * What the client calls itself on the wire: `model-gateway-sdk/0.1.0 node/24.1.0`, with the name of
 * the runtime that runs it.
 */
export function userAgent(): string {
  const own = `model-gateway-sdk/${version}`;
  const versions = Object(globalThis.process?.versions);
  // Bun and Deno say that they are a Node as well.
  const name = ['bun', 'deno', 'node'].find((runtime) => /^\d[\w.+-]*$/.test(versions[runtime]));
  return name === undefined ? own : `${own} ${name}/${versions[name]}`;
}
