import { benchModel, outputTokensMax, type Side } from './side.ts';

/** Nothing between load and upstream: what the two can do, and the latency that others add to. */
export const direct: Side = {
  name: 'nothing',
  start: (_scope, { upstreamUrl }) =>
    Promise.resolve({
      pid: undefined,
      target: (prompt) => ({
        url: upstreamUrl,
        path: '/v1/chat/completions',
        headers: {},
        body: JSON.stringify({
          model: benchModel,
          max_tokens: outputTokensMax,
          messages: [{ role: 'user', content: prompt }],
        }),
      }),
    }),
};
