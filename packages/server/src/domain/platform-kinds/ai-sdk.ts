import type { KindFacts } from './kind-facts.ts';

export const aiSdk = {
  name: 'ai-sdk',
  takes: ['package', 'options'],
  needs: ['package'],
  isPackage: true,
  projects: 'none',
  bills: 'always',
  terms: { isTierOpen: true, usesToolsOnRequest: false },
  speaks: [],
  needsSpeaks: false,
  hasEmbeddings: false,
} as const satisfies KindFacts;
