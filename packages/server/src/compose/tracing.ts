import type { CallFacts } from '../books/rows.ts';
import { createRareWarning } from '../lib/rare-warning.ts';
import type { Query } from '../store/port/port.ts';
import { selectCallRecord, selectHoldOf } from '../store/queries/ledger.ts';
import type { ExporterWaits } from '../tracing/exporter.ts';
import { startTracing, type Tracing } from '../tracing/tracing.ts';
import type { Instance } from './instance.ts';

export function tracingOf(
  instance: Instance,
  exporterWaits: ExporterWaits | undefined,
): Promise<Tracing> {
  const { config, clock, ids, log, version, instanceId, store } = instance;
  const { tracing, platforms } = config;
  const warn = createRareWarning({ clock, log }, 'could not look up a call; its span has no link');
  const parts = {
    clock,
    ids,
    log,
    version,
    instanceId,
    platforms,
    findSpanReference,
    exporterWaits,
  };
  return startTracing(tracing, parts);

  async function findSpanReference(callId: string): Promise<string | undefined> {
    const read = (query: Query<CallFacts | undefined>) => store.readForOperator(query);
    try {
      const call = (await read(selectHoldOf(callId))) ?? (await read(selectCallRecord(callId)));
      return call?.trace;
    } catch (error) {
      warn({ callId, error: String(error) });
      return undefined;
    }
  }
}
