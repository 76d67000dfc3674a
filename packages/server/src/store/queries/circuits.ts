import type { Query, Statement } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';

// Circuits that are not closed, as each process reports them.

export function circuitOpened(
  instanceId: string,
  circuit: { readonly platform: string; readonly model: string; readonly since: number },
): Statement {
  const { platform, model, since } = circuit;
  return {
    sql: `
      insert into open_circuit (owner, platform, model, since) values ($1, $2, $3, $4)
      on conflict (owner, platform, model) do nothing`,
    values: [instanceId, platform, model, since],
  };
}

export function circuitClosed(
  instanceId: string,
  { platform, model }: { readonly platform: string; readonly model: string },
): Statement {
  return {
    sql: 'delete from open_circuit where owner = $1 and platform = $2 and model = $3',
    values: [instanceId, platform, model],
  };
}

export const deleteGoneCircuits: Statement = {
  sql: 'delete from open_circuit where owner not in (select id from owner)',
  values: [],
};

export interface OpenCircuit {
  readonly platform: string;
  readonly model: string;
  /** The earliest among the processes that report it. */
  readonly since: number;
  readonly replicas: number;
}

export function selectOpenCircuits(seenSinceMs: number): Query<readonly OpenCircuit[]> {
  return {
    sql: `
      select open_circuit.platform, open_circuit.model, min(open_circuit.since) as since,
             count(*) as replicas
        from open_circuit join owner on owner.id = open_circuit.owner and owner.seen_at > $1
       group by open_circuit.platform, open_circuit.model
       order by open_circuit.platform, open_circuit.model`,
    values: [seenSinceMs],
    map: (rows) =>
      rows.map((row) => ({
        platform: text(row, 'platform'),
        model: text(row, 'model'),
        since: int(row, 'since'),
        replicas: int(row, 'replicas'),
      })),
  };
}
