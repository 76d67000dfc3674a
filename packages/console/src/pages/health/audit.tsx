import type { Job } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useJob } from '../../data/jobs.ts';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { JobProgress } from '../../parts/job-progress.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Count, When } from '../../parts/values.tsx';

interface Rule {
  readonly id: string;
  readonly rule: string;
  readonly ok: boolean;
  readonly figure: number;
}

const columns: readonly Column<Rule>[] = [
  { id: 'id', head: 'Rule', narrow: 1, cell: ({ id }) => id },
  {
    ...{ id: 'rule', head: 'Requirement', isFill: true, narrow: 3 },
    cell: ({ rule }) => (
      <span class="cut" title={rule}>
        {rule}
      </span>
    ),
  },
  {
    ...{ id: 'ok', head: 'Result', narrow: 2 },
    cell: ({ ok }) => <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'Passed' : 'Failed'}</Badge>,
  },
  {
    ...{ id: 'figure', head: 'Violations', isNumber: true, narrow: 4 },
    cell: ({ figure }) => <Count of={figure} />,
  },
];

export function AuditCard() {
  const { query, path, route } = useLocation();
  const running = useJob(query.audit, (audit) => route(withQuery(path, { ...query, audit }), true));
  const { job } = running;
  const isDone = job?.state === 'done';
  return (
    <div class="gap">
      <Card title="Ledger audit" isFlush={true}>
        <div class="body">
          <JobProgress running={running} label="Run audit" request={{ kind: 'audit' }} />
          {isDone && (
            <p class="note gap">
              Finished <When at={job.endedAt} />
            </p>
          )}
          {query.audit === undefined && (
            <p class="note gap">
              Checks every ledger rule, for example that no budget is overdrawn.
            </p>
          )}
        </div>
        {isDone && (
          <Table
            caption="Ledger rules"
            columns={columns}
            rows={rulesOf(job)}
            keyOf={({ id }) => id}
            empty={<Empty icon="search" title="The audit returned no rules. Run it again." />}
          />
        )}
      </Card>
    </div>
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
