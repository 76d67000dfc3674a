import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOnPort } from '../../harness/server.ts';
import { installOnce } from '../others/install-once.ts';
import { isForOthers } from '../others/scenarios.ts';
import { scriptPath } from '../processes/script-path.ts';
import { platformCall } from './calls.ts';
import { proveSpend } from './prove-spend.ts';
import { benchModel, type Side } from './side.ts';

// The leading dot hides the folder from the tools of this repository.
const folder = scriptPath('data/.litellm-rs');
const program = join(folder, 'release/litellm-rs-gateway');
const sources = scriptPath('others/litellm-rs');
const provider = 'upstream';

/**
 * litellm-rs, in Rust, with the profile of its authors: no key, no log, no database. Each call is
 * reserved in a budget of its provider and in one of its model, in the memory of its process.
 */
export const liteLlmRs: Side = {
  name: 'litellm-rs 0.9.0, budgets',
  isIn: (scenario) => scenario.operation === 'chat' && isForOthers(scenario),
  prepare: () =>
    installOnce({
      folder,
      workingFolder: sources,
      lockFile: join(sources, 'Cargo.lock'),
      steps: [
        {
          program: 'cargo',
          argv: ['build', '--quiet', '--release', '--locked', '--target-dir', folder],
        },
      ],
    }),
  async start(scope, setting) {
    const config = join(setting.folder, 'litellm-rs.yaml');
    writeFileSync(config, JSON.stringify(configOf(setting.upstreamUrl)));
    const { pid, url } = await startOnPort(scope, {
      readyPath: '/health',
      command: (port) => ({
        program,
        argv: [config, String(port)],
        logFile: join(setting.folder, 'litellm-rs.log'),
      }),
    });
    await setBudget(`${url}/v1/budget/providers`, { provider });
    await setBudget(`${url}/v1/budget/models`, { model: benchModel });
    const target = (prompt: string) => ({ url, headers: {}, ...platformCall(prompt) });
    const reports = ['/v1/budget/providers', '/v1/budget/models'];
    await proveSpend(target('Hello'), reports, 'current_spend');
    return { pid, target };
  },
};

/** JSON is valid YAML. */
function configOf(upstreamUrl: string) {
  const priced = { capability_catalog_model: 'gpt-4o-mini', pricing_model: 'gpt-4o-mini' };
  return {
    schema_version: '1.0',
    server: { host: '127.0.0.1' },
    providers: [
      {
        name: provider,
        provider_type: 'openai',
        // It accepts only keys with this beginning.
        api_key: 'sk-none',
        base_url: `${upstreamUrl}/v1`,
        endpoint_access: 'private_network',
        models: [benchModel],
        settings: { model_identity_mappings: { [benchModel]: priced } },
        rpm: 1_000_000_000,
        tpm: 1_000_000_000,
        max_concurrent_requests: 1000,
        max_retries: 0,
      },
    ],
    storage: {
      database: { url: 'sqlite::memory:', enabled: false },
      redis: { url: 'redis://127.0.0.1', enabled: false },
    },
    router: {},
    monitoring: {},
    auth: { enable_jwt: false, enable_api_key: false, allow_anonymous: true },
    guardrails: { enabled: false },
    rate_limit: { enabled: false },
  };
}

async function setBudget(url: string, of: Readonly<Record<string, string>>) {
  const body = JSON.stringify({ ...of, max_budget: 1_000_000, reset_period: 'daily' });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`it takes no budget: ${response.status} ${text}`);
}
