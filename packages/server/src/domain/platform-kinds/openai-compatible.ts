import type { KindFacts } from './kind-facts.ts';

export const openAiCompatible = {
  name: 'openai-compatible',
  takes: ['apiKey'],
  needs: ['baseUrl'],
  isPackage: false,
  projects: 'none',
  bills: 'elsewhere',
  terms: { isTierOpen: true, usesToolsOnRequest: false },
  speaks: ['chat', 'responses'],
  needsSpeaks: false,
  hasEmbeddings: true,
} as const satisfies KindFacts;
