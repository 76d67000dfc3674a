import type { Sampling } from '../domain/tracing.ts';
import type { Ids } from '../lib/id.ts';
import type { TraceParent } from './traceparent.ts';

/** Whether a request is recorded: decided before anything of its spans is made. */
export type Sampler = (parent: TraceParent | undefined) => boolean;

/**
 * Decides as the caller has, where that is wanted; else by chance, and for one trace alike: every
 * service that knows its id comes to the same.
 */
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
