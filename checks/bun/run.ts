import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { run } from '../../harness/process.ts';
import { serveFakeGateway } from '../../packages/sdk/test/fake-gateway.ts';
import { pack, root } from '../../packages/sdk/test-full/packed/pack.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const runMs = 60_000;
const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
await run('npm', argv, { cwd: folder });
const [packed, gateway] = await Promise.all([pack(), serveFakeGateway()]);
const { project } = packed;
try {
  await cp(join(root, 'packages/sdk/test-full/consumers/run'), project, { recursive: true });
  const bun = bunBinary();
  let surprises = 0;
  for (const file of ['consumer.mjs', 'consumer.cjs', 'bundled.mjs']) {
    surprises += await compare(`${file}, run by Bun`, [bun, file], [process.execPath, file]);
  }
  for (const [target, runner] of [
    ['node', process.execPath],
    ['bun', bun],
  ] as const) {
    const output = `out-${target}.mjs`;
    const options = ['build', 'bundled.mjs', `--target=${target}`, `--outfile=${output}`];
    await run(bun, options, { cwd: project, timeout: runMs });
    const name = `one file of bun build, target ${target}`;
    surprises += await compare(name, [runner, output], [process.execPath, 'bundled.mjs']);
  }
  print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
} finally {
  gateway.close();
  await packed.remove();
}

type Command = readonly [program: string, file: string];

/** Runs the same program in two ways; returns 1 if the results differ. */
async function compare(name: string, command: Command, control: Command): Promise<0 | 1> {
  const [seen, expected] = [await printedBy(command), await printedBy(control)];
  const isSame = isDeepStrictEqual(seen, expected);
  print(`${name}: ${isSame ? 'as on Node' : 'NOT as on Node'}`);
  if (!isSame) print(`${JSON.stringify(seen)}\n${JSON.stringify(expected)}`);
  return isSame ? 0 : 1;
}

async function printedBy([program, file]: Command): Promise<unknown> {
  const env = { PATH: process.env.PATH, MODEL_GATEWAY_URL: gateway.baseUrl };
  const stdout = await run(program, [join(project, file)], { env, timeout: runMs });
  return JSON.parse(stdout);
}

/** The program itself: Bun's own package would download it at installation. */
function bunBinary(): string {
  const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch;
  return join(folder, 'node_modules/@oven', `bun-${process.platform}-${cpu}`, 'bin/bun');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
