import type { KindFacts } from './kind-facts.ts';

export const anthropic = {
  name: 'anthropic',
  vendor: { name: 'Anthropic', service: 'Claude API' },
  traceName: 'anthropic',
  modelVendorOf: () => 'anthropic',
  defaultUrl: () => 'https://api.anthropic.com',
  takes: ['apiKey', 'adminApiKey', 'region', 'tier'],
  needs: ['apiKey'],
  // None of them costs less than the standard price.
  tiers: ['standard', 'priority'],
  isPackage: false,
  projects: 'bound',
  bills: 'always',
  terms: {
    isTierOpen: false,
    usesToolsOnRequest: true,
    region: {
      by: 'request',
      of: ({ region = 'global' }) => (region === 'none' ? undefined : region),
    },
  },
  priceList: { provider: 'anthropic' },
  speaks: ['messages'],
  needsSpeaks: false,
  hasEmbeddings: false,
} as const satisfies KindFacts;
