import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createClient } from '@model-gateway/sdk';
import { type Scope, withScope } from '../../harness/scope.ts';
import { type Call, calls } from './calls.ts';
import { type Gateway, project, startGateway } from './gateway.ts';
import { installServers } from './install.ts';
import { costPicoUsd, picoUsdOf } from './price.ts';
import { type Exchange, type Relay, startRelay } from './relay.ts';
import { foreignServers } from './servers/all.ts';
import type { ForeignServer, Wire } from './servers/foreign-server.ts';
import { startForeignServer } from './servers/start.ts';

const runMsMax = 900_000;

const surprises = await withScope(runMsMax, async (scope) => {
  await installServers();
  let surprises = 0;
  for (const server of foreignServers) surprises += await tryServer(scope, server);
  return surprises;
});
print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
process.exitCode = surprises === 0 ? 0 : 1;

/** Makes every call on every wire of a server, and counts the unexpected results. */
async function tryServer(scope: Scope, server: ForeignServer): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'model-gateway-compat-'));
  scope.add(async () => rmSync(folder, { recursive: true, force: true }));
  const relay = await startRelay(scope, await startForeignServer(scope, { server, folder }));
  const gateway = await startGateway(scope, { server, folder, upstreamUrl: relay.url });
  print(server.name);
  let surprises = 0;
  let spentPicoUsd = 0n;
  for (const wire of server.wires) {
    for (const call of calls) {
      try {
        spentPicoUsd += await tryCall({ call, wire, server, relay, gateway });
      } catch (error) {
        surprises += 1;
        print(`  ${wire.name}, ${call.name}: ${inOneLine(error)}`);
      }
    }
  }
  return surprises + (await checkBooks(gateway, spentPicoUsd));
}

/** Makes a call, compares it with the wire, and returns its cost. */
async function tryCall(parts: {
  readonly call: Call;
  readonly wire: Wire;
  readonly server: ForeignServer;
  readonly relay: Relay;
  readonly gateway: Gateway;
}): Promise<bigint> {
  const { call, wire, relay, gateway } = parts;
  const statuses: number[] = [];
  const client = createClient({
    baseUrl: `${gateway.url}/v1`,
    apiKey: gateway.apiKey,
    maxAttempts: 1,
    fetch: async (...request) => {
      const response = await fetch(...request);
      statuses.push(response.status);
      return response;
    },
  });
  const { refusalCode } = parts.server;
  // Leftovers of a failed earlier call must not count for this one.
  relay.taken();
  const outcome = await call.make({ client, model: wire.name, refusalCode });
  const exchanges = relay.taken();
  const { inputTokens, outputTokens, costUsd } = outcome;
  assert.deepEqual({ inputTokens, outputTokens }, sumOf(exchanges), 'counts are not as stated');
  assert.equal(picoUsdOf(costUsd), costPicoUsd(outcome), 'the cost is not tokens × price');
  const payer = wire.kind === 'openai-compatible' ? undefined : project;
  assert(
    exchanges.length > 0 && exchanges.every((exchange) => exchange.project === payer),
    'a call was not billed to its project',
  );
  const wired = exchanges.map(({ status }) => status).join(' ');
  print(
    `  ${wire.name}, ${call.name}: ${statuses.join(' ')} (there ${wired}), ` +
      `${inputTokens} + ${outputTokens} tokens, $${costUsd}`,
  );
  return picoUsdOf(costUsd);
}

function sumOf(exchanges: readonly Exchange[]) {
  const sum = { inputTokens: 0, outputTokens: 0 };
  for (const { inputTokens, outputTokens } of exchanges) {
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  }
  return sum;
}

/** Compares the spending with the sum of the responses, and runs the audit. */
async function checkBooks(gateway: Gateway, spentPicoUsd: bigint): Promise<number> {
  try {
    const { budget } = await createClient({
      baseUrl: `${gateway.url}/v1`,
      apiKey: gateway.apiKey,
    }).usage();
    assert.equal(picoUsdOf(String(budget?.spentUsd)), spentPicoUsd, 'spent is not the sum');
    assert.equal(picoUsdOf(String(budget?.heldUsd)), 0n, 'something is still held');
    const { clean } = await gateway.runCommand('audit');
    assert.equal(clean, true, 'the audit is not clean');
    print(`  spent $${budget?.spentUsd}, held $0, audit clean`);
    return 0;
  } catch (error) {
    print(`  books: ${inOneLine(error)}`);
    return 1;
  }
}

function inOneLine(error: unknown): string {
  return String(error).replaceAll(/\s+/g, ' ');
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
