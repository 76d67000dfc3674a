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
import type { CircuitBreakers } from '../platforms/outage/circuit-breakers.ts';
import type { Instance } from './instance.ts';

export interface AlertSources {
  readonly refusals: Refusals;
  readonly mismatches: Mismatches;
}

export function createAlertSources({ config }: Instance): AlertSources | undefined {
  if (config.notify.length === 0) return undefined;
  return { refusals: createRefusals(), mismatches: createMismatches() };
}

export function startNotifying(
  instance: Instance,
  parts: {
    readonly alertSources: AlertSources | undefined;
    readonly outageProtection: CircuitBreakers;
    readonly observing: Observing;
  },
): Notifier | undefined {
  const { alertSources, outageProtection, observing } = parts;
  if (alertSources === undefined) return undefined;
  const { config, store, clock, ids, log, instanceId, version } = instance;
  const webhooks = config.notify;
  let pseudonyms: Promise<Pseudonyms> | undefined;
  const rules = createRules({
    ...{ store, clock, instanceId, webhooks, circuits: outageProtection, ...alertSources },
    pseudonyms() {
      pseudonyms ??= openPseudonyms({ store, ids });
      pseudonyms.catch(() => {
        pseudonyms = undefined;
      });
      return pseudonyms;
    },
  });
  const notifier = startNotifier({
    ...{ store, clock, ids, log, instanceId, webhooks, rules, formatBody },
    send: createSend({ clock, resolve: createResolve(), version }),
  });
  addNotifyMetrics(observing.metrics, notifier, clock);
  return notifier;
}
