import { platformCall } from './calls.ts';
import type { Side } from './side.ts';

/** Nothing between load and upstream: what the two can do, and the latency that others add to. */
export const direct: Side = {
  name: 'nothing',
  // The load generator speaks no TLS.
  isIn: ({ isUpstreamTls }) => !isUpstreamTls,
  start: (_scope, { upstreamUrl, operation }) =>
    Promise.resolve({
      pid: undefined,
      target: (prompt) => {
        return { url: upstreamUrl, headers: {}, ...platformCall(prompt, operation) };
      },
    }),
};
