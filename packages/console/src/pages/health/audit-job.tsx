import type { Job } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useJob } from '../../data/jobs.ts';
import { withQuery } from '../../data/with-query.ts';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { JobProgress } from '../../parts/job-progress.tsx';
import { When } from '../../parts/values.tsx';

interface Rule {
  readonly id: string;
  readonly rule: string;
  readonly ok: boolean;
  readonly figure: number;
}

const columns: readonly Head<Rule>[] = [
  { head: 'Rule', cell: ({ id }) => id },
  { head: 'What must hold', cell: ({ rule }) => rule },
  { head: 'Holds', cell: ({ ok }) => (ok ? 'OK' : 'Problem') },
  { head: 'Breaches', isNumber: true, cell: ({ figure }) => figure },
];

export function AuditJob() {
  const { query, path, route } = useLocation();
  const running = useJob(query.audit, (audit) => route(withQuery(path, { ...query, audit }), true));
  const { job } = running;
  return (
    <section>
      <h2>Audit</h2>
      <JobProgress running={running} label="Audit the ledger" asked={{ kind: 'audit' }} />
      {job?.state === 'done' && (
        <>
          <p>
            Ended <When at={job.endedAt} />
          </p>
          <DataTable
            caption="Rules of the ledger"
            heads={columns}
            rows={rulesOf(job)}
            keyOf={({ id }) => id}
            empty="The audit returned no rule. Start it again."
          />
        </>
      )}
      {query.audit === undefined && (
        <p class="empty">Each rule of the ledger, and whether it holds, once an audit was made.</p>
      )}
    </section>
  );
}

function rulesOf({ result }: Job): readonly Rule[] {
  if (typeof result !== 'object' || result === null || !('checks' in result)) return [];
  const { checks } = result;
  return Array.isArray(checks) ? checks.filter(isRule) : [];
}

function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null && 'id' in value && 'rule' in value;
}
