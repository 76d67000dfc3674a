import { describe } from 'vitest';
import { createTermReader } from '../../../src/platforms/evidence/evidence.ts';
import { createUsageReader } from '../../../src/platforms/evidence/read-usage.ts';
import { usageLines } from '../../../src/platforms/evidence/usage-tree.ts';
import {
  type PricedWordLine,
  pricedWordLines,
  type TermLine,
  termLines,
} from '../../../src/platforms/statements/terms.ts';
import { type Cases, doubtsIn, testRemoval } from './removal.ts';

type Json = Readonly<Record<string, unknown>>;

/** The terms of a response, and of its `usage`. */
function read(lines: typeof usageLines, terms: Json): readonly string[] {
  const { readUsage } = createUsageReader(lines);
  const doubts = createTermReader(lines)(terms);
  return [...doubtsIn({ doubts }), ...doubtsIn(readUsage({ usage: terms }))];
}

describe('a term', () => {
  const cases: Cases<Json> = {
    service_tier: [
      { service_tier: 'priority' },
      ['other-tier service_tier', 'other-tier usage.service_tier'],
    ],
    speed: [{ speed: 'fast' }, ['other-tier speed', 'other-tier usage.speed']],
    inference_geo: [
      { inference_geo: 'us' },
      ['other-region inference_geo', 'other-region usage.inference_geo'],
    ],
    serviceTier: [
      { serviceTier: 'priority' },
      ['other-tier serviceTier', 'other-tier usage.serviceTier'],
    ],
    trafficType: [
      { trafficType: 'PROVISIONED_THROUGHPUT' },
      ['other-tier trafficType', 'other-tier usage.trafficType'],
    ],
    traffic_type: [
      { traffic_type: 'PROVISIONED_THROUGHPUT' },
      ['other-tier traffic_type', 'other-tier usage.traffic_type'],
    ],
  };
  testRemoval<TermLine, Json>({
    lines: termLines,
    nameOf: ({ field }) => field,
    cases,
    read: (terms, given) => read({ ...usageLines, terms }, given),
  });
});

describe('a priced word', () => {
  const cases: Cases<Json> = {
    'service_tier default': [{ service_tier: 'default' }, []],
    'service_tier auto': [{ service_tier: 'auto' }, []],
    'service_tier standard': [{ service_tier: 'Standard' }, []],
    'service_tier standard_only': [{ service_tier: 'standard_only' }, []],
    'service_tier on_demand': [{ service_tier: 'on_demand' }, []],
    'serviceTier standard': [{ serviceTier: 'STANDARD' }, []],
    'speed standard': [{ speed: 'standard' }, []],
    'inference_geo global': [{ inference_geo: 'global' }, []],
    'inference_geo not_available': [{ inference_geo: 'not_available' }, []],
    'trafficType on_demand': [{ trafficType: 'ON_DEMAND' }, []],
    'trafficType traffic_type_unspecified': [{ trafficType: 'TRAFFIC_TYPE_UNSPECIFIED' }, []],
    'traffic_type on_demand': [{ traffic_type: 'ON_DEMAND' }, []],
    'traffic_type traffic_type_unspecified': [{ traffic_type: 'TRAFFIC_TYPE_UNSPECIFIED' }, []],
  };
  testRemoval<PricedWordLine, Json>({
    lines: pricedWordLines,
    nameOf: ({ field, word }) => `${field} ${word}`,
    cases,
    read: (pricedWords, given) => read({ ...usageLines, pricedWords }, given),
  });
});
