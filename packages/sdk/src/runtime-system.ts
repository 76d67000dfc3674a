import { randomUUID } from 'node:crypto';
import { machineTime, type Runtime } from './runtime.ts';

/**
 * The process's own clocks, timers and random numbers. What Node alone has is named in this file,
 * which is built as ESM and as CommonJS: bundlers cannot turn a `require` of it into an `import`.
 */
export function systemRuntime(): Runtime {
  // From node:crypto, because early Node 18 has no global `crypto`.
  return { ...machineTime(), uuid: () => randomUUID() };
}
