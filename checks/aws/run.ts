import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';
import { withScope } from '../../harness/scope.ts';
import { createSteps, expect } from '../image/steps.ts';
import { awsFolder, installLint, installPackages } from './install.ts';
import { variants } from './variants.ts';

const runMsMax = 1_200_000;
const rootFolder = fileURLToPath(new URL('../..', import.meta.url));
const { execPath } = process;
const tool = (path: string) => join(rootFolder, 'node_modules', path);
/** The CDK declares dependencies that a reference implies already. */
const lintArgv = ['--ignore-checks', 'W3005', '--regions', 'eu-west-1'];

await withScope(runMsMax, async (scope) => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-aws-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const { step, close } = createSteps();
  let lint = '';
  await step('its own packages and cfn-lint are installed', async () => {
    await installPackages();
    lint = await installLint();
    return (await run(lint, ['--version'])).trim();
  });
  await step('its types hold', async () => {
    await run(execPath, [tool('typescript/bin/tsc'), '--noEmit', '-p', awsFolder]);
  });
  await step('its tests pass', async () => {
    const file = join(folder, 'tests.json');
    const report = ['--reporter=json', `--outputFile=${file}`];
    // It fails if a test fails: the report names the test.
    const ended = run(execPath, [tool('vitest/vitest.mjs'), 'run', '--root', awsFolder, ...report]);
    const error = await ended.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const failed = failedTests(testResults);
    expect(error === undefined, failed.join('; ') || String(error));
    expect(numPassedTests === numTotalTests, `${numTotalTests - numPassedTests} did not run`);
    return `${numPassedTests} tests`;
  });
  const outdirs: string[] = [];
  for (const [name, properties] of variants) {
    await step(`${name} is synthesized without an account`, async () => {
      const file = join(folder, `${outdirs.length}.json`);
      const argv = [join(awsFolder, 'app.ts')];
      if (properties !== undefined) {
        await writeFile(file, JSON.stringify(properties));
        argv.push(file);
      }
      const outdir = join(folder, String(outdirs.length));
      await run(execPath, argv, { environment: { CDK_OUTDIR: outdir } });
      outdirs.push(outdir);
      return countResources(outdir);
    });
  }
  await step('cfn-lint has no finding', async () => {
    const templates = await Promise.all(outdirs.map(templatesOf));
    await run(lint, [...lintArgv, '--template', ...templates.flat()]);
    return `${templates.flat().length} templates`;
  });
  await step('a first synthesis leaves nothing that git sees', async () => {
    await run(execPath, [join(awsFolder, 'app.ts')]);
    const seen = await run('git', ['status', '--short', '--', 'deploy/aws/cdk.out'], {
      cwd: rootFolder,
    });
    expect(seen === '', seen);
  });
  close();
});

/** The names of the failed tests, with the first line of each failure. */
function failedTests(files: readonly { assertionResults: readonly object[] }[]): readonly string[] {
  return files.flatMap(({ assertionResults }) =>
    assertionResults.flatMap((result) => {
      const { status, fullName, failureMessages } = Object(result);
      if (status === 'passed') return [];
      return [`${fullName}: ${String(failureMessages?.[0]).split('\n')[0]}`];
    }),
  );
}

async function templatesOf(outdir: string): Promise<readonly string[]> {
  const files = await readdir(outdir);
  return files.filter((file) => file.endsWith('.template.json')).map((file) => join(outdir, file));
}

async function countResources(outdir: string): Promise<string> {
  const counts = (await templatesOf(outdir)).map((file) => {
    return Object.keys(JSON.parse(readFileSync(file, 'utf8')).Resources).length;
  });
  return `${counts.join(' + ')} resources`;
}
