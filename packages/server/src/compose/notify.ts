import { formatBody } from '../notify/formats/format.ts';
import { type Notifier, startNotifier } from '../notify/notifier.ts';
import { openPseudonyms, type Pseudonyms } from '../notify/pseudonyms.ts';
import { createResolve } from '../notify/resolve.ts';
import { createMismatches, type Mismatches } from '../notify/rules/mismatches.ts';
import { createRefusals, type Refusals } from '../notify/rules/refusals.ts';
import { createRules } from '../notify/rules/rules.ts';
import { createSend } from '../notify/send.ts';
import { addNotifyMetrics } from '../observe/notify-metrics.ts';
import type { Observing } from '../observe/observing.ts';
import type { Guard } from '../platforms/outage/guard.ts';
import type { Instance } from './instance.ts';

export interface Heard {
  readonly refusals: Refusals;
  readonly mismatches: Mismatches;
}

export function heardOf({ config }: Instance): Heard | undefined {
  if (config.notify.length === 0) return undefined;
  return { refusals: createRefusals(), mismatches: createMismatches() };
}

export function startNotifying(
  instance: Instance,
  parts: {
    readonly heard: Heard | undefined;
    readonly guard: Guard;
    readonly observing: Observing;
  },
): Notifier | undefined {
  const { heard, guard, observing } = parts;
  if (heard === undefined) return undefined;
  const { config, store, clock, ids, log, instanceId, version } = instance;
  const hooks = config.notify;
  let pseudonyms: Promise<Pseudonyms> | undefined;
  const rules = createRules({
    ...{ store, clock, instanceId, hooks, circuits: guard, ...heard },
    pseudonyms() {
      pseudonyms ??= openPseudonyms({ store, ids });
      pseudonyms.catch(() => {
        pseudonyms = undefined;
      });
      return pseudonyms;
    },
  });
  const notifier = startNotifier({
    ...{ store, clock, ids, log, instanceId, hooks, rules, formatBody },
    send: createSend({ clock, resolve: createResolve(), version }),
  });
  addNotifyMetrics(observing.metrics, notifier, clock);
  return notifier;
}
