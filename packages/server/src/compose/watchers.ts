import { startHourlyWork } from '../observe/hours.ts';
import { createKeyUse } from '../observe/key-use.ts';
import { createRefusalCounts } from '../observe/refusal-counts.ts';
import { startRejections } from '../observe/rejections.ts';
import type { Registry } from '../registry/registry.ts';
import type { Instance } from './instance.ts';
import { createAlertSources } from './notify.ts';

export function createWatchers(instance: Instance, hasConsole: boolean | undefined) {
  const { store, clock, log } = instance;
  const keyUse = createKeyUse();
  const alertSources = createAlertSources(instance);
  const counts = hasConsole === true ? createRefusalCounts(clock) : undefined;
  const rejections = startRejections(instance);
  return {
    ...{ keyUse, alertSources },
    observers: [
      keyUse,
      alertSources?.refusals,
      alertSources?.mismatches,
      counts,
      rejections,
    ].flatMap((part) => part?.observer ?? []),
    startWriting: (registry: Registry) => [
      counts && startHourlyWork({ store, clock, log, refusals: counts, registry }),
      rejections,
    ],
  };
}
