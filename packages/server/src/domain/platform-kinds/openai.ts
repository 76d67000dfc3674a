import type { KindFacts } from './kind-facts.ts';

/** Not available on chat completions. Source: the endpoints on the models' pages. */
const onResponsesOnly = /-pro\b|codex|deep-research/;

export const openAi = {
  name: 'openai',
  vendor: { name: 'OpenAI', service: 'OpenAI API' },
  traceName: 'openai',
  modelVendorOf: () => 'openai',
  defaultUrl: (region) =>
    region === '' ? 'https://api.openai.com/v1' : `https://${region}.api.openai.com/v1`,
  takes: ['apiKey', 'adminApiKey', 'region', 'tier'],
  needs: ['apiKey'],
  isPackage: false,
  projects: 'bound',
  bills: 'always',
  terms: {
    isTierOpen: false,
    usesToolsOnRequest: true,
    region: {
      by: 'host',
      of: ({ region, baseUrl = '' }) =>
        region ?? /^https:\/\/([a-z]{2,4})\.api\.openai\.com\b/.exec(baseUrl)?.[1],
    },
  },
  priceList: {
    provider: 'openai',
    speaksOf: (id) => (onResponsesOnly.test(id) ? 'v1-responses' : undefined),
  },
  speaks: ['chat', 'responses', 'v1-chat', 'v1-responses'],
  defaultSpeaks: ['v1-chat', 'v1-responses'],
  needsSpeaks: false,
  hasEmbeddings: true,
} as const satisfies KindFacts;
