import type { NotRun } from '../rounds/run-scenario.ts';

const noModule = 'its Go module was refused by the module proxy (403) when it was tried';

/** Gateways that people compare, and that no package manager could install; each was tried once. */
export const cannotRun: readonly NotRun[] = [
  {
    side: "Bifrost's own server",
    reason: `${noModule}; its npm package 1.6.3 fetches a program that no lock file pins`,
  },
  { side: 'GoModel 0.1.55', reason: noModule },
  { side: 'Envoy AI Gateway', reason: noModule },
  { side: 'BricksLLM', reason: noModule },
  {
    side: 'Portkey 1.15.2, streams and embeddings',
    reason: 'it answers 500: it appends to headers of a fetched answer, which Node does not allow',
  },
  {
    side: 'One API 0.6.10',
    reason: 'its Go module lacks the web pages that its build takes in, so it cannot be built',
  },
  {
    side: 'LiteLLM 1.93.0, budgets of keys and teams',
    reason: 'they want a database, whose client downloads programs that no lock file pins',
  },
  { side: 'Helicone', reason: 'its package @helicone/ai-gateway is not on npm (404)' },
  {
    side: 'Kong, APISIX, TensorZero, agentgateway, Busbar',
    reason: 'not tried: they come as images, system packages or sources to compile',
  },
];
