import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from '../../../harness/process.ts';
import { checkBooks } from '../../../packages/server/test/compatible/support/check-books.ts';
import {
  models,
  startService,
} from '../../../packages/server/test/compatible/support/client-house.ts';
import { startFront } from '../front.ts';
import { createFullContext } from './full-context.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const turnMs = 120_000;
const said = 'Say hi';

const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
if (!process.argv.includes('--installed')) await run('npm', argv, { cwd: folder });
const context = createFullContext();
const server = await startService({ script: context.script });
const front = await startFront(server.port);
let surprises = 0;
try {
  const apiKey = await server.key('team');
  await turn('claude-code', (home) => claudeCode(home, apiKey, [['-p', said]]));
  await turn('claude-code on a full context', (home) => {
    const next = ['-p', context.last, '--continue'];
    return claudeCode(home, apiKey, [['-p', context.first], next]);
  });
  if (!context.isContinued()) {
    surprises += 1;
    print('claude-code on a full context: NO, the conversation did not continue with a summary');
  }
  await turn('codex', (home) => codex(home, apiKey));
  print(await checkBooks(server));
  print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
} finally {
  front.close();
  await server.close();
}

/** A program, its arguments run by run, and the environment that is all it has. */
interface Turn {
  readonly program: string;
  readonly argvs: readonly (readonly string[])[];
  readonly env: Readonly<Record<string, string>>;
}

/** Lets a command line complete its runs in a home of its own. */
async function turn(name: string, prepare: (home: string) => Turn) {
  const home = mkdtempSync(join(tmpdir(), 'model-gateway-command-line-'));
  try {
    const { program, argvs, env } = prepare(home);
    const PATH = process.env.PATH ?? '';
    const options = { env: { PATH, HOME: home, ...env }, cwd: home, timeout: turnMs };
    for (const argv of argvs) {
      const stdout = await run(program, argv, options);
      if (stdout.trim() === '') throw new Error('it said nothing');
      print(`${name}: ${stdout.trim().slice(0, 200)}`);
    }
  } catch (error) {
    surprises += 1;
    print(`${name}: NO, ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof Error && 'stdout' in error) print(String(error.stdout));
  } finally {
    for (const { client, line } of front.sent) if (client === name) print(`  ${line}`);
    rmSync(home, { recursive: true, force: true });
  }
}

function claudeCode(home: string, apiKey: string, argvs: Turn['argvs']): Turn {
  const { echo } = models.messages;
  return {
    program: join(folder, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude'),
    argvs: argvs.map((argv) => [...argv, '--model', echo]),
    env: {
      ANTHROPIC_BASE_URL: `${front.url}/claude-code/turn/anthropic`,
      ANTHROPIC_AUTH_TOKEN: apiKey,
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  };
}

function codex(home: string, apiKey: string): Turn {
  const settings = [
    `model = "${models.responses.echo}"`,
    'model_provider = "gateway"',
    '[model_providers.gateway]',
    'name = "gateway"',
    `base_url = "${front.url}/codex/turn/openai/v1"`,
    'env_key = "GATEWAY_KEY"',
    'wire_api = "responses"',
  ];
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex/config.toml'), settings.join('\n'));
  return {
    program: join(folder, 'node_modules/.bin/codex'),
    argvs: [['exec', '--skip-git-repo-check', said]],
    env: { GATEWAY_KEY: apiKey },
  };
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
