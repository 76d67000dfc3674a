import { type KindFacts, speaksWords } from './kind-facts.ts';

export const bedrockMantle = {
  name: 'bedrock-mantle',
  vendor: { name: 'Amazon Web Services', service: 'Amazon Bedrock' },
  traceName: 'aws.bedrock',
  modelVendorOf: (upstreamModel) => /^([^.]*)\./.exec(upstreamModel)?.[1],
  defaultUrl: (region) => `https://bedrock-mantle.${region}.api.aws`,
  takes: ['apiKey', 'region'],
  needs: ['region'],
  // Amazon's own tools read it. Default: the AWS credential chain.
  keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
  isPackage: false,
  projects: 'bound',
  // Calls with an id in another format may be billed to the default project.
  projectForm: {
    pattern: /^proj_[A-Za-z0-9]+$/,
    problem: 'is not a project id; use the id (proj_…) that "projects plan" shows, not the name',
  },
  bills: 'always',
  terms: { isTierOpen: true, usesToolsOnRequest: true },
  priceList: { provider: 'aws', isId, speaksOf },
  speaks: speaksWords,
  needsSpeaks: true,
  hasEmbeddings: false,
} as const satisfies KindFacts;

/** Ids start with a vendor, and have no region, date or version. */
function isId(name: string): boolean {
  if (/^(us|eu|au|jp|in|apac|us-gov|global|regional)\./.test(name)) return false;
  return /^[a-z0-9-]+\./.test(name) && !/:|-v\d|-\d{4,}/.test(name);
}

function speaksOf(id: string) {
  if (id.startsWith('anthropic.')) return 'anthropic-v1-messages';
  const isFrontier = /^(openai\.gpt-(?!oss-)|google\.gemma-4|xai\.)/.test(id);
  return isFrontier ? 'openai-v1-responses' : 'v1-chat';
}
