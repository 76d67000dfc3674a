import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { endOf } from '../../harness/process.ts';
import { type Scope, withScope } from '../../harness/scope.ts';
import { answerableDocument, wholeDocument } from './document.ts';
import { type App, type Gateway, startGateway } from './gateway.ts';
import { installSchemathesis } from './install.ts';
import { listed } from './listed.ts';
import { type Finding, type Report, readReport } from './report.ts';

const allMsMax = 1_800_000;
const runMsMax = 600_000;
/** The same seed makes the same requests. */
const seed = process.argv[2] ?? '1';

interface Run {
  readonly name: string;
  readonly document: object;
  /** The owner of the key; undefined for an unauthenticated client. */
  readonly app: App | undefined;
  /** The maximum for each operation. */
  readonly examples: number;
  /** `positive` makes only requests that fit the description. */
  readonly mode: 'all' | 'positive';
}

const whole = { document: wholeDocument(), mode: 'all' } as const;
const fitting = { document: answerableDocument(), mode: 'positive' } as const;
const runs: readonly Run[] = [
  { name: 'an app', app: 'plain', examples: 40, ...whole },
  { name: 'an app that meters credits', app: 'metered', examples: 40, ...whole },
  { name: 'no key', app: undefined, examples: 20, ...whole },
  { name: 'requests that fit', app: 'plain', examples: 100, ...fitting },
];

const surprises = await withScope(allMsMax, checkAll);
print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
process.exitCode = surprises === 0 ? 0 : 1;

async function checkAll(scope: Scope): Promise<number> {
  const program = await installSchemathesis(scope);
  const gateway = await startGateway(scope);
  let findings = 0;
  for (const one of runs) findings += report(one, await test(program, gateway, one));
  const errors = gateway.errorLines();
  const isClean = await gateway.isClean();
  print(`log: ${errors.length} errors; audit ${isClean ? 'clean' : 'NOT CLEAN'}`);
  for (const line of errors.slice(0, 5)) print(`  ${line}`);
  return findings + errors.length + (isClean ? 0 : 1);
}

async function test(program: string, gateway: Gateway, one: Run): Promise<Report> {
  const file = join(gateway.folder, 'openapi.json');
  const report = join(gateway.folder, 'report.ndjson');
  writeFileSync(file, JSON.stringify(one.document));
  const argv = [
    ...['run', file, '--url', gateway.url, '--seed', seed, '--mode', one.mode],
    // The description has no links between operations, and no created object could be removed.
    ...['--phases', 'examples,coverage,fuzzing'],
    ...['--max-examples', String(one.examples), '--continue-on-failure', '--no-shrink'],
    ...['--report', 'ndjson', '--report-ndjson-path', report],
    ...(one.app === undefined ? [] : ['--header', `x-api-key: ${gateway.keys[one.app]}`]),
  ];
  // Its exit code reports findings; the report contains them.
  const { code, stdout } = await endOf(program, argv, { timeout: runMsMax, cwd: gateway.folder });
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis failed: ${stdout.slice(-2_000)}`);
  return readReport(readFileSync(report, 'utf8'));
}

/** Prints the result of a run, and counts the findings that are not listed. */
function report({ name }: Run, { statuses, findings }: Report): number {
  const byStatus = [...statuses].toSorted(([a], [b]) => a - b);
  const total = byStatus.reduce((sum, [, count]) => sum + count, 0);
  print(`${name}: ${total} requests (${byStatus.map((entry) => entry.join(' × ')).join(', ')})`);
  for (const { why, matches } of listed) {
    const count = findings.filter(matches).length;
    if (count > 0) print(`  ${count}, as it should be: ${why}`);
  }
  const others = findings.filter((finding) => !listed.some(({ matches }) => matches(finding)));
  for (const finding of others.slice(0, 20)) print(`  SURPRISE: ${inOneLine(finding)}`);
  return others.length;
}

function inOneLine({ check, operation, status, message }: Finding): string {
  return `${check}, ${operation} ${status}: ${message.slice(0, 300).replaceAll(/\s+/g, ' ')}`;
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
