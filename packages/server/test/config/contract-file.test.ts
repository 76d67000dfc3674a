import { describe, expect, test } from 'vitest';
import { configOf, problemsOf } from './load.ts';

const contractFile = `
company: acme                       # billing projects are named prod-acme-core-<app>
adminEmail: admin@acme.example      # a key issued to this address has the role admin
listen: { host: 127.0.0.1, port: 8787 }
admin:  { host: 127.0.0.1, port: 8788 }   # metrics, readiness, openapi.json; never on the public listener
store: sqlite:./data/gateway.db     # or postgres://user:pass@host:5432/db ; MODEL_GATEWAY_STORE overrides it
limits:                             # defaults = the specification; tests lower them
  modelCallMs: 26000
  gatewayMs: 29000
  drainMs: 60000
  stopDelayMs: 0                    # /health says draining for so long before the listener closes
  stopMs: 25000                     # then running calls end; at its end what still drains is booked as estimated
  bodyBytes: 4194304
  bodyBytesInFlight: 268435456      # above it, or above inFlight: the gateway's 429
  inFlight: 2000
  idempotencyMs: 3600000
retry: { attempts: 3, baseMs: 250, capMs: 4000 }        # inside the service, within modelCallMs
platforms:                          # every kind takes baseUrl
  sandbox: { kind: simulator }
  bedrock: { kind: bedrock-mantle, region: us-east-1 }                       # AWS_BEARER_TOKEN_BEDROCK, else the AWS credential chain
  openai:  { kind: openai, apiKey: "\${OPENAI_API_KEY}", adminApiKey: "\${OPENAI_ADMIN_KEY}" }
  claude:  { kind: anthropic, apiKey: "\${ANTHROPIC_API_KEY}" }
  local:   { kind: openai-compatible, baseUrl: "http://127.0.0.1:11434/v1", apiKey: none }
  other:   { kind: ai-sdk, package: "@ai-sdk/mistral", options: { apiKey: "\${MISTRAL_API_KEY}" } }
defaultPlatform: sandbox            # where a model that is not in the catalog goes
plans:
  user:  { ratePerSecond: 50,  burst: 100, requestsPerDay: 100000 }
  admin: { ratePerSecond: 200, burst: 400, requestsPerDay: 1000000 }
models:                             # added to the catalog that ships; the same id replaces
  - { id: my-model, platform: local, upstreamModel: my-model-v1, inputUsdPerMillion: "0.15", cachedInputUsdPerMillion: "0.075", outputUsdPerMillion: "0.60", contextTokens: 128000, maxOutputTokens: 16384 }
apps:                               # declared apps are created when missing and kept equal to the file
  - { name: search, dailyBudgetUsd: "50" }
  - { name: tutor, dailyBudgetUsd: "20", models: [my-model], credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;

const environment = {
  OPENAI_API_KEY: 'sk-openai',
  OPENAI_ADMIN_KEY: 'sk-openai-admin',
  ANTHROPIC_API_KEY: 'sk-anthropic',
  MISTRAL_API_KEY: 'sk-mistral',
};

describe('the file of the contract', () => {
  test('loads, with every value in its place', () => {
    const { hash, ...config } = configOf(contractFile, environment);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(config).toStrictEqual({
      file: '/etc/gateway/gateway.yaml',
      company: 'acme',
      threads: 1,
      adminEmail: 'admin@acme.example',
      listen: { host: '127.0.0.1', port: 8787 },
      admin: { host: '127.0.0.1', port: 8788 },
      store: { kind: 'sqlite', path: '/etc/gateway/data/gateway.db' },
      ...numbers,
      platforms,
      defaultPlatform: 'sandbox',
      logPlatformErrors: false,
      unpriced: 'dearest',
      models: [
        {
          id: 'my-model',
          platform: 'local',
          upstreamModel: 'my-model-v1',
          prices: [
            {
              inputPicoUsd: 150_000n,
              cachedInputPicoUsd: 75_000n,
              cacheWriteInputPicoUsd: 150_000n,
              outputPicoUsd: 600_000n,
            },
          ],
          contextTokens: 128_000,
          maxOutputTokens: 16_384,
          structuredOutput: 'json-schema',
          images: false,
          imageTokensMax: 20_000,
        },
      ],
      aliases: [],
      budgets: [],
      notify: [],
      console: { enabled: true, insecureHttp: false, sessionHours: 12, teamWallets: false },
      apps: [
        { name: 'search', dailyBudgetPicoUsd: 50_000_000_000_000n },
        {
          name: 'tutor',
          dailyBudgetPicoUsd: 20_000_000_000_000n,
          models: ['my-model'],
          credits: {
            monthlyGrantPicoUsd: 10_000_000_000_000n,
            picoUsdPerCredit: 10_000_000_000n,
          },
        },
      ],
    });
  });

  test('without its environment names every missing variable and its place', () => {
    expect(problemsOf(contractFile, { OPENAI_ADMIN_KEY: '' })).toEqual([
      'platforms.openai.apiKey: the environment variable OPENAI_API_KEY is not set; set it, or set OPENAI_API_KEY_FILE to the path of a file with the value',
      'platforms.openai.adminApiKey: the environment variable OPENAI_ADMIN_KEY is empty; set it, or set OPENAI_ADMIN_KEY_FILE to the path of a file with the value',
      'platforms.claude.apiKey: the environment variable ANTHROPIC_API_KEY is not set; set it, or set ANTHROPIC_API_KEY_FILE to the path of a file with the value',
      'platforms.other.options.apiKey: the environment variable MISTRAL_API_KEY is not set; set it, or set MISTRAL_API_KEY_FILE to the path of a file with the value',
    ]);
  });
});

const numbers = {
  streaming: false,
  ingress: {
    ...{ openai: false, anthropic: false, defaultMaxTokens: 4_096 },
    ...{ unknownFields: 'refuse', serverTools: 'refuse', unboundedInput: 'refuse' },
  },
  limits: {
    modelCallMs: 26_000,
    gatewayMs: 29_000,
    drainMs: 60_000,
    stopDelayMs: 0,
    stopMs: 25_000,
    bodyBytes: 4_194_304,
    bodyBytesInFlight: 268_435_456,
    inFlight: 2_000,
    idempotencyMs: 3_600_000,
    streams: {
      ...{ firstMs: 26_000, idleMs: 26_000, totalMs: 300_000, stallMs: 30_000 },
      ...{ inFlight: 1_000, aheadBytes: 65_536 },
    },
  },
  retry: { attempts: 3, baseMs: 250, capMs: 4_000 },
  plans: {
    user: { ratePerSecond: 50, burst: 100, requestsPerDay: 100_000 },
    admin: { ratePerSecond: 200, burst: 400, requestsPerDay: 1_000_000 },
  },
};

const platforms = [
  { name: 'sandbox', kind: 'simulator' },
  { name: 'bedrock', kind: 'bedrock-mantle', region: 'us-east-1' },
  { name: 'openai', kind: 'openai', apiKey: 'sk-openai', adminApiKey: 'sk-openai-admin' },
  { name: 'claude', kind: 'anthropic', apiKey: 'sk-anthropic' },
  { name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' },
  {
    name: 'other',
    kind: 'ai-sdk',
    package: '@ai-sdk/mistral',
    options: { apiKey: 'sk-mistral' },
  },
];
