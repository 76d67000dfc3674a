import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Scope } from '../../harness/scope.ts';
import { startOnPort } from '../../harness/server.ts';
import { installOnce } from '../others/install-once.ts';
import { scriptPath } from '../processes/script-path.ts';
import { platformCall } from './calls.ts';
import { benchModel, embeddingsModel, type RunningSide, type Setting } from './side.ts';

// The leading dot hides the folder from the tools of this repository.
const environmentFolder = scriptPath('data/.litellm');
const python = join(environmentFolder, 'bin/python');

/** Installs LiteLLM's proxy from Python's packages; returns why it cannot run, or undefined. */
export async function prepareLiteLlm(): Promise<string | undefined> {
  if (process.arch !== 'x64') return `its lock file is for x64, this machine is ${process.arch}`;
  const lockFile = scriptPath('others/litellm/requirements.txt');
  const safely = ['--require-hashes', '--only-binary', ':all:', '--no-deps'];
  return installOnce({
    folder: environmentFolder,
    workingFolder: scriptPath('.'),
    lockFile,
    steps: [
      { program: 'python3.11', argv: ['-m', 'venv', '--clear', environmentFolder] },
      { program: python, argv: ['-m', 'pip', 'install', '--quiet', ...safely, '-r', lockFile] },
    ],
  });
}

/** Starts LiteLLM's proxy with one worker, and with a budget of its provider if requested. */
export async function startLiteLlm(
  scope: Scope,
  { upstreamUrl, operation, folder }: Setting,
  hasBudget: boolean,
): Promise<RunningSide> {
  const config = join(folder, 'litellm.yaml');
  writeFileSync(config, JSON.stringify(configOf(upstreamUrl, hasBudget)));
  const { pid, url } = await startOnPort(scope, {
    readyPath: '/health/liveliness',
    command: (port) => ({
      program: python,
      argv: [
        ...[join(environmentFolder, 'bin/litellm'), '--config', config],
        ...['--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
      ],
      logFile: join(folder, 'litellm.log'),
      environment,
    }),
  });
  const target = (prompt: string) => ({ url, headers: {}, ...platformCall(prompt, operation) });
  return { pid, target };
}

/** The advice of its documents for production; and the installed prices, without a download. */
const environment = {
  LITELLM_MODE: 'PRODUCTION',
  LITELLM_LOG: 'ERROR',
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
};

/** JSON is valid YAML. */
function configOf(upstreamUrl: string, hasBudget: boolean) {
  const upstream = { api_base: `${upstreamUrl}/v1`, api_key: 'none' };
  const params = { ...upstream, ...(hasBudget ? prices : {}) };
  const models = [benchModel, embeddingsModel];
  return {
    model_list: models.map((name) => {
      return { model_name: name, litellm_params: { ...params, model: `openai/${name}` } };
    }),
    litellm_settings: { num_retries: 0 },
    ...(hasBudget ? { router_settings: { provider_budget_config: budgets } } : {}),
  };
}

/** The prices of this gateway's model. */
const prices = { input_cost_per_token: 0.15e-6, output_cost_per_token: 0.6e-6 };

const budgets = { openai: { budget_limit: 1_000_000, time_period: '1d' } };
