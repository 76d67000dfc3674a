import type { EmbeddedSimulator } from '@model-gateway/server/platforms/kinds/simulator';
import { createSimulator } from '@model-gateway/simulator';
import { simulatorRows } from './rows.ts';

/** For platforms of this kind without `baseUrl`. */
export function embedSimulator(parts: Parameters<typeof createSimulator>[0]): EmbeddedSimulator {
  return embedded(createSimulator(parts));
}

export function embedded({ fetch }: Pick<EmbeddedSimulator, 'fetch'>): EmbeddedSimulator {
  return { fetch, models: simulatorRows() };
}
