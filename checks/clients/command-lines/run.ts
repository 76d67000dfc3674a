import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '@model-gateway/simulator';
import { run } from '../../../harness/process.ts';
import { checkBooks } from '../../../packages/server/test/compatible/support/check-books.ts';
import {
  models,
  startService,
} from '../../../packages/server/test/compatible/support/client-house.ts';
import { startFront } from '../front.ts';
import { lastText } from '../vendors/journey.ts';
import { startVendors, thinkers } from '../vendors/vendors.ts';
import { createFullContext } from './full-context.ts';
import { opencodeConfig } from './opencode.ts';
import { createPdfReader } from './pdf.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const turnMs = 120_000;
const prompt = 'Say hi';

const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
if (!process.argv.includes('--installed')) await run('npm', argv, { cwd: folder });
const contexts = [createFullContext('orchard'), createFullContext('garden')] as const;
const pdf = createPdfReader();
const vendors = await startVendors();
const server = await startService({
  ...vendors,
  // After it has read a PDF, a session sends it in every turn.
  ingress: { unboundedInput: 'hold-context' },
  script: (call) => {
    const scripts = [...contexts, pdf].map(({ script }) => script);
    return scripts.reduce<Outcome | undefined>(
      (outcome, script) => outcome ?? script(call),
      undefined,
    );
  },
});
const front = await startFront(server.port);
let surprises = 0;
try {
  const apiKey = await server.key('team');
  await turn('claude-code', (home) => claudeCode(home, apiKey, [['-p', prompt]]));
  const [context, other] = contexts;
  await turn('claude-code on a full context', (home) => {
    const next = ['-p', context.last, '--continue'];
    return claudeCode(home, apiKey, [['-p', context.first], next]);
  });
  expect(context.isContinued(), 'the conversation did not continue with a summary');
  await turn('claude-agent-sdk on a full context', (home) =>
    agentSdk(home, apiKey, [other.first, other.last]),
  );
  expect(other.isContinued(), 'the conversation did not continue with a summary');
  await turn('claude-agent-sdk with a PDF', (home) => {
    writeFileSync(join(home, pdf.file), pdf.bytes);
    return agentSdk(home, apiKey, [pdf.first, pdf.last]);
  });
  expect(pdf.isRead(), 'the PDF did not reach the model twice');
  await turn('opencode', (home) => opencode(home, apiKey));
  await turn('codex', (home) => codex(home, apiKey));
  print(await checkBooks(server, { otherPicoUsd: vendors.billedPicoUsd(), isExact: true }));
  print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
} finally {
  front.close();
  await server.close();
  vendors.close();
}

/** A program, the arguments of each run, and its complete environment. */
interface Turn {
  readonly program: string;
  readonly argvs: readonly (readonly string[])[];
  readonly env: Readonly<Record<string, string>>;
  /** The required part of each run's output. */
  readonly prints?: string;
}

/** Lets a command line complete its runs in its own home folder. */
async function turn(name: string, prepare: (home: string) => Turn) {
  const home = mkdtempSync(join(tmpdir(), 'model-gateway-command-line-'));
  try {
    const { program, argvs, env, prints = '' } = prepare(home);
    const PATH = process.env.PATH ?? '';
    const options = { env: { PATH, HOME: home, ...env }, cwd: home, timeout: turnMs };
    for (const argv of argvs) {
      const stdout = await run(program, argv, options);
      if (stdout.trim() === '') throw new Error('it printed nothing');
      if (!stdout.includes(prints)) throw new Error(`it did not print ${prints}: ${stdout}`);
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
  return {
    program: join(folder, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude'),
    argvs: argvs.map((argv) => [...argv, '--model', models.messages.echo]),
    env: claudeEnv(home, apiKey, 'claude-code'),
  };
}

function agentSdk(home: string, apiKey: string, prompts: readonly string[]): Turn {
  return {
    program: process.execPath,
    argvs: [[join(folder, 'agent-sdk.js'), models.messages.echo, ...prompts]],
    env: claudeEnv(home, apiKey, 'claude-agent-sdk'),
  };
}

function claudeEnv(home: string, apiKey: string, client: string) {
  return {
    ANTHROPIC_BASE_URL: `${front.url}/${client}/turn/anthropic`,
    ANTHROPIC_AUTH_TOKEN: apiKey,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

function opencode(home: string, apiKey: string): Turn {
  const baseUrl = `${front.url}/opencode/turn/openai/v1`;
  const { deepseek } = thinkers;
  writeFileSync(
    join(home, 'opencode.json'),
    opencodeConfig(baseUrl, apiKey, deepseek, models.chat.echo),
  );
  return {
    program: join(folder, 'node_modules/opencode-linux-x64/bin/opencode'),
    argvs: [['run', 'How warm is it?']],
    prints: lastText,
    env: {
      OPENCODE_CONFIG: join(home, 'opencode.json'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
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
    argvs: [['exec', '--skip-git-repo-check', prompt]],
    env: { GATEWAY_KEY: apiKey },
  };
}

function expect(isSo: boolean, otherwise: string) {
  if (isSo) return;
  surprises += 1;
  print(`  NO, ${otherwise}`);
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
