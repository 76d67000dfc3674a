import type { AuditReport } from '../../store/audit/audit.ts';
import { audit as auditStore } from '../../store/audit/audit.ts';
import type { AdminContext } from '../context/context.ts';
import { withOperatorReads } from '../context/context.ts';
import type { Operation } from '../description/operation.ts';
import { ofType, operation } from '../description/operation.ts';
import { tableLines } from '../description/text-lines.ts';

export function auditLedger(context: AdminContext): Promise<AuditReport> {
  const { store, clock } = withOperatorReads(context);
  return context.reportQueue.run(() => auditStore(store, clock.now()));
}

const check = operation({
  name: 'audit',
  about: 'check the ledger of the live store',
  right: 'look',
  opens: 'store',
  result: ofType<AuditReport>(),
  run: ({ admin }) => auditLedger(admin),
  failure({ clean, checks }) {
    if (clean) return undefined;
    const broken = checks.filter(({ ok }) => !ok).map(({ id }) => id);
    if (broken.includes('file')) return damaged;
    return `ledger rules broken: ${broken.join(', ')}; keep a copy of the store and report it with this table`;
  },
  commands: [
    {
      // The rules' texts may change, so the document contains only the stable fields.
      document: ({ clean, prunedBefore, unchainedLines, checks }) => ({
        ...{ clean, prunedBefore },
        ...(unchainedLines > 0 && { unchainedLines }),
        checks: checks.map(({ rule: _rule, ...found }) => found),
      }),
    },
  ],
  lines: ({ clean, prunedBefore, unchainedLines, checks }) => [
    ...tableLines(
      ['rule', 'ok', 'breaches', 'requirement'],
      checks.map(({ id, ok, figure, rule }) => [id, ok ? 'yes' : 'NO', String(figure), rule]),
      'No rules to check.',
    ),
    '',
    ...checks.flatMap(({ id, rows = [] }) => rows.map((row) => `${id}: ${row}`)),
    ...(prunedBefore === undefined
      ? []
      : [`Calls before ${prunedBefore} were pruned; their days cannot be checked.`]),
    ...(unchainedLines === 0
      ? []
      : [`${unchainedLines} audit log entries were written before the hash chain existed.`]),
    clean ? 'The ledger is clean.' : 'The ledger is NOT clean.',
  ],
});

const damaged =
  'the store file is damaged, so nothing else was checked. Stop the service, keep a copy of its files, and restore a backup';

export const audit: readonly Operation[] = [check];
