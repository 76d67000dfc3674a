import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../../../src/cli/process/context.ts';
import { runCommand } from '../../../src/cli/program.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { createIds } from '../../../src/lib/id.ts';

export interface CommandResult {
  readonly code: number;
  readonly out: readonly string[];
  readonly errors: readonly string[];
}

/** A folder with a configuration and a store, and commands that run in this process on it. */
export interface Desk {
  readonly folder: string;
  readonly file: string;
  /** Runs a command unchanged. `input` is its standard input, `ask` a person at a terminal. */
  run(
    commandLine: readonly string[],
    input?: string,
    ask?: (question: string) => Promise<string>,
  ): Promise<CommandResult>;
  /** Runs a command with `--json --config` at its end. Returns the document, or fails. */
  json(commandLine: readonly string[], input?: string): Promise<unknown>;
  /** The same for a command that prints one object. */
  record(commandLine: readonly string[], input?: string): Promise<Record<string, unknown>>;
  /** The same for a command that prints a list of objects. */
  records(
    commandLine: readonly string[],
    input?: string,
  ): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A simulator, and apps that the file declares. */
export const deskYaml = `
company: acme
adminEmail: admin@acme.example
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
models:
  - { id: house-model, platform: local, inputUsdPerMillion: "1", outputUsdPerMillion: "2" }
  - { id: house-draft, platform: local }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;

/** Opens a desk. `parts` replaces its clock or its folder by the test's. */
export async function openDesk(
  parts: { yaml?: string; clock?: Clock; environment?: CommandContext['environment'] } = {},
): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-cli-'));
  const file = join(folder, 'gateway.yaml');
  await writeFile(file, parts.yaml ?? deskYaml);
  const clock = parts.clock ?? systemClock;
  const environment = parts.environment ?? {};
  return { folder, file, run, json, record, records, close };

  async function run(
    commandLine: readonly string[],
    input = '',
    ask?: CommandContext['ask'],
  ): Promise<CommandResult> {
    const out: string[] = [];
    const errors: string[] = [];
    const code = await runCommand(commandLine, {
      clock,
      environment,
      ids: createIds(clock),
      print: (line) => void out.push(line),
      warn: (line) => void errors.push(line),
      readStandardInput: async () => input,
      ask,
    });
    return { code, out, errors };
  }

  async function json(commandLine: readonly string[], input?: string): Promise<unknown> {
    const result = await run([...commandLine, '--json', '--config', file], input);
    if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.errors.join('\n')}`);
    return documentOf(result);
  }

  async function record(commandLine: readonly string[], input?: string) {
    const document = await json(commandLine, input);
    if (!isRecord(document)) throw new Error('the document is no object');
    return document;
  }

  async function records(commandLine: readonly string[], input?: string) {
    const document = await json(commandLine, input);
    if (!Array.isArray(document)) throw new Error('the document is no list');
    return document.filter(isRecord);
  }

  function close() {
    return rm(folder, { recursive: true, force: true });
  }
}

/** The one JSON document that a command printed. Fails if there is any other output. */
export function documentOf({ out }: CommandResult): unknown {
  if (out.length !== 1) throw new Error(`${out.length} lines, not one document`);
  return JSON.parse(out[0] ?? '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(document: Record<string, unknown>, field: string): string {
  const value = document[field];
  if (typeof value !== 'string') throw new Error(`${field} is no text`);
  return value;
}
