import { version } from './version.ts';

/** The client's user agent: `model-gateway-sdk/0.1.0 node/24.1.0`, with the name of its runtime. */
export function userAgent(): string {
  const own = `model-gateway-sdk/${version}`;
  const versions = Object(globalThis.process?.versions);
  // Bun and Deno also claim to be Node.
  const name = ['bun', 'deno', 'node'].find((runtime) => /^\d[\w.+-]*$/.test(versions[runtime]));
  return name === undefined ? own : `${own} ${name}/${versions[name]}`;
}
