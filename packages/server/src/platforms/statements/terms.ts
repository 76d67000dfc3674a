import type { EstimateReason } from '../../domain/doubt.ts';
import type { Statement } from './statement.ts';
import { vendors } from './vendors.ts';

export interface TermLine extends Statement {
  readonly field: string;
  readonly reason: Extract<EstimateReason, 'other-tier' | 'other-region'>;
}

/** Case-insensitive. */
export interface PricedWordLine extends Statement {
  readonly field: string;
  readonly word: string;
}

const groqTiers = { vendor: 'Groq', source: 'https://console.groq.com/docs/service-tiers.md' };
const geminiTiers = { vendor: 'Gemini', source: 'diegosouzapw/OmniRoute#4177' };
const anthropicTiers = {
  vendor: 'Anthropic',
  source: 'https://platform.claude.com/docs/en/api/service-tiers',
};

export const termLines: readonly TermLine[] = [
  { field: 'service_tier', reason: 'other-tier', ...vendors.openAi },
  { field: 'speed', reason: 'other-tier', vendor: 'Anthropic', source: 'maximhq/bifrost#5072' },
  {
    field: 'inference_geo',
    reason: 'other-region',
    vendor: 'Anthropic',
    source: 'anthropics/claude-code#60641',
  },
  { field: 'serviceTier', reason: 'other-tier', ...geminiTiers },
  { field: 'trafficType', reason: 'other-tier', ...vendors.vertex },
  { field: 'traffic_type', reason: 'other-tier', ...vendors.vertex },
];

export const pricedWordLines: readonly PricedWordLine[] = [
  { field: 'service_tier', word: 'default', ...vendors.openAi },
  { field: 'service_tier', word: 'auto', ...vendors.openAi },
  { field: 'service_tier', word: 'standard', ...anthropicTiers },
  { field: 'service_tier', word: 'standard_only', ...anthropicTiers },
  { field: 'service_tier', word: 'on_demand', ...groqTiers },
  { field: 'serviceTier', word: 'standard', ...geminiTiers },
  { field: 'speed', word: 'standard', ...vendors.anthropic },
  { field: 'inference_geo', word: 'global', ...vendors.anthropic },
  { field: 'inference_geo', word: 'not_available', ...vendors.anthropic },
  { field: 'trafficType', word: 'on_demand', ...vendors.vertex },
  { field: 'trafficType', word: 'traffic_type_unspecified', ...vendors.vertex },
  { field: 'traffic_type', word: 'on_demand', ...vendors.vertex },
  { field: 'traffic_type', word: 'traffic_type_unspecified', ...vendors.vertex },
];
