import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { endOf, run } from '../../harness/process.ts';
import { type Scope, withScope } from '../../harness/scope.ts';
import { adminOpenApi } from '../../packages/server/src/admin-api/routes/openapi-document.ts';
import { loadRoutes } from '../../packages/server/src/admin-api/routes.ts';
import { checkFocus, focusExceptions, focusVersion } from './focus.ts';
import { runSuite } from './json-schema.ts';
import { actionlintVersion, installers, type ToolName } from './tools.ts';

const routes = await loadRoutes();

const root = fileURLToPath(new URL('../..', import.meta.url));
const allMsMax = 1_200_000;
const isFast = process.argv.includes('--fast');

interface Row {
  readonly tool: string;
  readonly version: string;
  /** Differences that the check accepts, with reasons. */
  readonly exceptions: string;
  readonly needs: ToolName;
  /** Left out of `--fast`. */
  readonly isSlow?: true;
  /** Rejects with a fault; the text is the verdict. */
  readonly check: (path: string, folder: string) => Promise<string>;
}

const files = async (...patterns: readonly string[]) =>
  (await run('git', ['ls-files', ...patterns], { cwd: root })).trim().split('\n');

const rows: readonly Row[] = [
  {
    ...{ tool: 'actionlint', version: actionlintVersion, needs: 'actionlint' },
    exceptions: 'none',
    check: (actionlint) => passes(actionlint, []),
  },
  {
    ...{ tool: 'promtool check rules, test rules', version: "the machine's", needs: 'promtool' },
    exceptions: 'none',
    async check(promtool) {
      await passes(promtool, ['check', 'rules', 'docs/alerts.yml']);
      return passes(promtool, ['test', 'rules', 'checks/standards/alerts.test.yml']);
    },
  },
  {
    ...{ tool: 'openapi-spec-validator', version: '0.9.0', needs: 'python', exceptions: 'none' },
    async check(python, folder) {
      const admin = join(folder, 'admin.json');
      writeFileSync(admin, JSON.stringify(adminOpenApi(routes, '0.0.0')));
      return passes(join(python, 'openapi-spec-validator'), ['docs/openapi.json', admin]);
    },
  },
  {
    ...{ tool: 'check-jsonschema', version: '0.39.0', needs: 'python', exceptions: 'none' },
    async check(python) {
      const program = join(python, 'check-jsonschema');
      const chart = 'deploy/helm/model-gateway/values.schema.json';
      await passes(program, ['--check-metaschema', 'gateway.schema.json', chart]);
      const samples = await files('gateway.yaml', 'deploy/*/gateway.yaml');
      await passes(program, ['--schemafile', 'gateway.schema.json', ...samples]);
      const workflows = await files('.github/workflows/*.yml');
      return passes(program, ['--builtin-schema', 'vendor.github-workflows', ...workflows]);
    },
  },
  {
    ...{ tool: 'hadolint', version: '2.15.1', needs: 'python', exceptions: 'none' },
    check: (python) => passes(join(python, 'hadolint'), ['Dockerfile']),
  },
  {
    ...{ tool: 'shellcheck', version: '0.11.0', needs: 'python' },
    exceptions: 'SC2153 (info): DIGESTS is a variable of the workflow',
    async check(python) {
      const scripts = await run('git', ['grep', '-lE', '^#!.*sh$'], { cwd: root });
      const argv = ['--severity=warning', ...scripts.trim().split('\n')];
      return passes(join(python, 'shellcheck'), argv);
    },
  },
  {
    ...{ tool: 'JSON Schema Test Suite', version: 'of jsonschema 4.25.1', needs: 'suite' },
    exceptions:
      'INVALID before money is reserved: references to other documents, other meta-schemas, and unevaluatedItems next to contains or to items in a choice (decision 0096)',
    isSlow: true,
    async check(suite) {
      const { right, rejected, wrong } = await runSuite(suite);
      if (wrong.length > 0) throw new Error(`${wrong.length} cases are wrong\n${wrong.join('\n')}`);
      return `${right} cases right, ${rejected} rejected`;
    },
  },
  {
    ...{ tool: 'focus-validator', version: `${focusVersion}, rules of 1.2`, needs: 'focus' },
    exceptions: focusExceptions.map(({ why }) => why).join('; '),
    isSlow: true,
    check: checkFocus,
  },
];

/** Standards whose tool is not in a package registry. */
const byHand = ['W3C Trace Context suite: no package registry has it; see docs/standards.md'];

process.exitCode = (await withScope(allMsMax, checkAll)) ? 0 : 1;

async function checkAll(scope: Scope): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'model-gateway-standards-'));
  scope.add(async () => rmSync(folder, { recursive: true, force: true }));
  const selected = rows.filter(({ isSlow }) => !isFast || isSlow !== true);
  const tools = new Map<ToolName, FoundTool>();
  let isGood = true;
  print('tool | version | verdict | exceptions');
  for (const row of selected) {
    const tool = tools.get(row.needs) ?? (await install(row.needs, folder));
    tools.set(row.needs, tool);
    const verdict = await verdictOf(row, tool, folder);
    isGood &&= !verdict.startsWith('FAILED');
    print(`${row.tool} | ${row.version} | ${verdict} | ${row.exceptions}`);
  }
  for (const line of byHand) print(`NOT RUN: ${line}`);
  return isGood;
}

/** The path of a tool, or why it is missing. */
type FoundTool = { readonly path: string } | { readonly why: string };

async function install(name: ToolName, folder: string): Promise<FoundTool> {
  try {
    return { path: await installers[name](folder) };
  } catch (error) {
    return { why: String(error).slice(0, 200).replaceAll(/\s+/g, ' ') };
  }
}

async function verdictOf(row: Row, tool: FoundTool, folder: string): Promise<string> {
  if ('why' in tool) return `NOT RUN, since it could not be installed: ${tool.why}`;
  try {
    return await row.check(tool.path, folder);
  } catch (error) {
    return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function passes(program: string, argv: readonly string[]): Promise<string> {
  const { code, output } = await endOf(program, argv, { cwd: root });
  if (code !== 0) throw new Error(output.slice(-3_000));
  return 'passed';
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
