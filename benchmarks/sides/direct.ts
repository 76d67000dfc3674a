import { completionBody } from './completion-body.ts';
import type { Side } from './side.ts';

/** Nothing between load and upstream: what the two can do, and the latency that others add to. */
export const direct: Side = {
  name: 'nothing',
  // The load generator speaks no TLS.
  isIn: ({ isUpstreamTls }) => !isUpstreamTls,
  start: (_scope, { upstreamUrl }) =>
    Promise.resolve({
      pid: undefined,
      target: (prompt) => ({
        url: upstreamUrl,
        path: '/v1/chat/completions',
        headers: {},
        body: completionBody(prompt),
      }),
    }),
};
