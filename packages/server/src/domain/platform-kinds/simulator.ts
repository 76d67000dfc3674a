import { type KindFacts, speaksWords } from './kind-facts.ts';

export const simulator = {
  name: 'simulator',
  takes: [],
  needs: [],
  isPackage: false,
  projects: 'own',
  bills: 'never',
  terms: { isTierOpen: true, usesToolsOnRequest: false },
  // It has mantle's paths.
  speaks: speaksWords,
  needsSpeaks: false,
  hasEmbeddings: true,
} as const satisfies KindFacts;
