import type { Sampling } from '../domain/tracing.ts';
import type { Ids } from '../lib/id.ts';
import type { TraceParent } from './traceparent.ts';

/** Decided before any span exists. */
export type Sampler = (parent: TraceParent | undefined) => boolean;

/** The caller's decision if configured; else random by trace id, so all services agree. */
export function createSampler(
  { ratio, isParentBased }: Sampling,
  { random }: Pick<Ids, 'random'>,
): Sampler {
  return (parent) => {
    if (parent === undefined) return random() < ratio;
    if (isParentBased) return parent.isSampled;
    return Number.parseInt(parent.traceId.slice(-8), 16) / 2 ** 32 < ratio;
  };
}
