import type { Service } from '../../compose/compose.ts';
import type { SharedCounts } from '../../compose/process-counts.ts';

/** Cuts the detached calls whose places other threads have taken. */
export function cutWanted(
  { runner: { detached } }: Pick<Service, 'runner'>,
  counts: SharedCounts,
): void {
  for (let wanted = counts.cutsWanted(); wanted > 0; wanted--) {
    // Counted as gone already: whatever it comes to, it is counted here once.
    counts.detached.add(1);
    detached.cutSmallest();
  }
}
