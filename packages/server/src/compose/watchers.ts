import { startHours } from '../observe/hours.ts';
import { createKeyUse } from '../observe/key-use.ts';
import { createRefusalCounts } from '../observe/refusal-counts.ts';
import { startRejections } from '../observe/rejections.ts';
import type { Registry } from '../registry/registry.ts';
import type { Instance } from './instance.ts';
import { heardOf } from './notify.ts';

export function createWatchers(instance: Instance, hasConsole: boolean | undefined) {
  const { store, clock, log } = instance;
  const keyUse = createKeyUse();
  const heard = heardOf(instance);
  const counts = hasConsole === true ? createRefusalCounts(clock) : undefined;
  const rejections = startRejections(instance);
  return {
    ...{ keyUse, heard },
    observers: [keyUse, heard?.refusals, heard?.mismatches, counts, rejections].flatMap(
      (part) => part?.observer ?? [],
    ),
    startWriting: (registry: Registry) => [
      counts && startHours({ store, clock, log, refusals: counts, registry }),
      rejections,
    ],
  };
}
