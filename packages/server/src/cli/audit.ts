import type { Command } from 'commander';
import { AdminError } from '../admin/admin-error.ts';
import { type AuditReport, audit } from '../ledger/audit.ts';
import { type CommandContext, type CommonOptions, readConfig, withAdmin } from './context.ts';
import { printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `audit`: checks the ledger's invariants on the live store; exit code 1 on a breach. */
export function registerAudit(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('audit').description("check the ledger's invariants on the live store"),
  ).action((_options: unknown, command: Command) =>
    auditStore(context, command.optsWithGlobals<CommonOptions>()),
  );
}

async function auditStore(context: CommandContext, options: CommonOptions) {
  const config = readConfig(context, options);
  const report = await withAdmin(context, config, ({ store, clock }) => audit(store, clock.now()));
  const { clean, prunedBefore, checks } = report;
  if (options.json === true) {
    // The rules' sentences may change: the document has what a machine can hold on to.
    const figures = checks.map(({ id, ok, figure }) => ({ id, ok, figure }));
    const pruned = prunedBefore === undefined ? {} : { prunedBefore };
    printDocument(context, options, { clean, ...pruned, checks: figures }, () => []);
  } else {
    printDocument(context, options, report, auditLines);
  }
  if (clean) return;
  const broken = checks.filter(({ ok }) => !ok).map(({ id }) => id);
  throw new AdminError(
    `the ledger breaks ${broken.join(', ')}: keep a copy of the store, and report it with this table`,
  );
}

function auditLines({ clean, prunedBefore, checks }: AuditReport): readonly string[] {
  return [
    ...tableLines(
      ['rule', 'ok', 'breaches', 'what must hold'],
      checks.map(({ id, ok, figure, rule }) => [id, ok ? 'yes' : 'NO', String(figure), rule]),
      'There is no rule to check.',
    ),
    '',
    ...(prunedBefore === undefined
      ? []
      : [`The calls before ${prunedBefore} were pruned: their days are compared with nothing.`]),
    clean ? 'The ledger is clean.' : 'The ledger is NOT clean.',
  ];
}
