import type { EmbeddedSimulator } from '@model-gateway/server/platforms/kinds/simulator';
import { createSimulator } from '@model-gateway/simulator';
import { simulatorRows } from './rows.ts';

/** A simulator in this process, for the platforms of this kind that have no `baseUrl`. */
export function embedSimulator(parts: Parameters<typeof createSimulator>[0]): EmbeddedSimulator {
  return embedded(createSimulator(parts));
}

/** One that was made before, as a service takes it. */
export function embedded({ fetch }: Pick<EmbeddedSimulator, 'fetch'>): EmbeddedSimulator {
  return { fetch, models: simulatorRows() };
}
