import { type KindFacts, speaksWords } from './kind-facts.ts';

export const simulator = {
  name: 'simulator',
  takes: [],
  needs: [],
  isPackage: false,
  projects: 'own',
  bills: 'never',
  terms: { isTierOpen: true, usesToolsOnRequest: false },
  // The same paths as Bedrock mantle.
  speaks: speaksWords,
  needsSpeaks: false,
  hasEmbeddings: true,
} as const satisfies KindFacts;
