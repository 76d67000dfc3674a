import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { Runtime } from './runtime.ts';

/**
 * The parts of the runtime that only Node has. This file is built as ESM and as CommonJS: bundlers
 * cannot turn a `require` of it into an `import`.
 */
export function systemRuntime(): Pick<Runtime, 'uuid' | 'publish'> {
  const attempts = channel('@model-gateway/sdk:attempt');
  // From node:crypto, because early Node 18 has no global `crypto`.
  return { uuid: () => randomUUID(), publish: (event) => attempts.publish(event) };
}
