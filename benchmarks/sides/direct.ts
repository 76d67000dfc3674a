import { platformCall } from './calls.ts';
import type { Side } from './side.ts';

/**
 * Nothing between load and upstream: the maximum of the two, and the latency to which the others
 * add.
 */
export const direct: Side = {
  name: 'nothing',
  // The load generator has no TLS.
  isIn: ({ isUpstreamTls }) => !isUpstreamTls,
  start: (_scope, { upstreamUrl, operation }) =>
    Promise.resolve({
      pid: undefined,
      target: (prompt) => {
        return { url: upstreamUrl, headers: {}, ...platformCall(prompt, operation) };
      },
    }),
};
