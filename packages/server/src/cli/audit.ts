import type { Command } from 'commander';
import { AdminError } from '../operations/admin-error.ts';
import { type AuditReport, auditLedger } from '../operations/health/audit-ledger.ts';
import { tableLines } from '../operations/text-lines.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

/** `audit`: checks the ledger's invariants on the live store; exit code 1 on a breach. */
export function registerAudit(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('audit').description("check the ledger's invariants on the live store"),
  ).action((_options: unknown, command: Command) =>
    audit(context, command.optsWithGlobals<CommonOptions>()),
  );
}

async function audit(context: CommandContext, options: CommonOptions) {
  const report = await onStore(context, options, auditLedger);
  printDocument(context, options, documentOf(report), () => auditLines(report));
  if (report.clean) return;
  const broken = report.checks.filter(({ ok }) => !ok).map(({ id }) => id);
  if (broken.includes('file')) throw new AdminError(damaged);
  throw new AdminError(
    `the ledger breaks ${broken.join(', ')}: keep a copy of the store, and report it with this table`,
  );
}

const damaged =
  'the file of the store is damaged, so nothing else was checked: stop the service, keep a copy of its files, and restore a backup';

/** The rules' sentences may change: the document has what a machine can hold on to. */
function documentOf({ clean, prunedBefore, unchainedLines, checks }: AuditReport) {
  const pruned = prunedBefore === undefined ? {} : { prunedBefore };
  const unchained = unchainedLines === 0 ? {} : { unchainedLines };
  return {
    clean,
    ...pruned,
    ...unchained,
    checks: checks.map(({ id, ok, figure, rows }) => ({ id, ok, figure, ...(rows && { rows }) })),
  };
}

function auditLines(report: AuditReport): readonly string[] {
  const { clean, prunedBefore, unchainedLines, checks } = report;
  return [
    ...tableLines(
      ['rule', 'ok', 'breaches', 'what must hold'],
      checks.map(({ id, ok, figure, rule }) => [id, ok ? 'yes' : 'NO', String(figure), rule]),
      'There is no rule to check.',
    ),
    '',
    ...checks.flatMap(({ id, rows = [] }) => rows.map((row) => `${id}: ${row}`)),
    ...(prunedBefore === undefined
      ? []
      : [`The calls before ${prunedBefore} were pruned: their days are compared with nothing.`]),
    ...(unchainedLines === 0
      ? []
      : [`${unchainedLines} lines of the audit log are of versions before its chain.`]),
    clean ? 'The ledger is clean.' : 'The ledger is NOT clean.',
  ];
}
