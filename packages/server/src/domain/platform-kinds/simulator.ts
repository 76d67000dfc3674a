import { type KindFacts, speaksWords } from './kind-facts.ts';

export const simulator = {
  name: 'simulator',
  takes: [],
  needs: [],
  isPackage: false,
  projects: 'own',
  bills: 'never',
  terms: { isTierOpen: true, usesToolsOnRequest: false },
  // The simulator has the paths of Bedrock mantle.
  speaks: speaksWords,
  needsSpeaks: false,
  hasEmbeddings: true,
} as const satisfies KindFacts;
