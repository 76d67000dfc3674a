import process from 'node:process';
import { configuration } from '../checks/console/configuration.ts';
import { fillHouse } from '../checks/console/filling/fill-house.ts';
import { type House, openHouse, type StoreKind } from '../checks/console/house.ts';
import { issueToken } from '../packages/server/src/admin/admin-tokens.ts';
import { issueKey } from '../packages/server/src/admin/keys.ts';
import { type Scope, withScope } from './processes/scope.ts';

// What callers notice of those who look: 32 callers, with and without 5 consoles open and a report
// running, in alternating rounds. Consoles are what their pages ask: events, and Today every two
// seconds. All of it is in one process, on a million calls of the last months.

const callers = 32;
const consoles = 5;
const roundMs = Number(process.argv[2] ?? 4_000);
const rounds = Number(process.argv[3] ?? 6);
const calls = Number(process.argv[4] ?? 1_000_000);

await withScope(1_800_000, async (scope) => {
  for (const kind of ['sqlite', 'postgres'] as const) await measureOn(scope, kind);
});

async function measureOn(scope: Scope, kind: StoreKind) {
  const plan = { ratePerSecond: 100_000, burst: 100_000, requestsPerDay: 1_000_000_000 };
  const plans = { user: plan, admin: plan };
  const house = await openHouse(scope, { kind, configuration: { ...configuration, plans } });
  await fillHouse(house.service, calls);
  const { admin, registry } = house.service;
  const { key } = await issueKey(admin, { app: 'assistant', email: 'bench@acme.example' });
  const days = 1;
  const access = { name: 'bench', role: 'operator', apps: undefined } as const;
  const { token } = await issueToken(admin, { ...access, days });
  await registry.refresh();
  await round(house, key);
  const alone: number[] = [];
  const watched: number[] = [];
  for (let number = 0; number < rounds; number++) {
    alone.push(await round(house, key));
    const over = new AbortController();
    const looking = look(house, token, over.signal);
    watched.push(await round(house, key));
    over.abort();
    await looking;
  }
  const [before, after] = [median(alone), median(watched)];
  const more = ((after / before - 1) * 100).toFixed(1);
  console.log(
    `${kind}: p99 of ${callers} callers ${before.toFixed(1)} ms alone, ${after.toFixed(1)} ms with ${consoles} consoles and a report: ${more} % (aim 10)`,
  );
}

/** The 99th percentile of what callers wait for an answer. */
async function round({ url }: House, key: string): Promise<number> {
  const took: number[] = [];
  const untilMs = performance.now() + roundMs;
  const messages = [{ role: 'user', content: 'Hello' }];
  const body = JSON.stringify({ model: 'gpt-5.4-mini', messages, maxTokens: 20 });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  await Promise.all(Array.from({ length: callers }, go));
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;

  async function go() {
    while (performance.now() < untilMs) {
      const fromMs = performance.now();
      const answer = await fetch(`${url}/v1/chat`, { method: 'POST', headers, body });
      await answer.text();
      if (answer.status !== 200) throw new Error(`a call was answered ${answer.status}`);
      took.push(performance.now() - fromMs);
    }
  }
}

/** Consoles that are open, and one report after the other. */
async function look({ adminUrl }: House, token: string, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${adminUrl}/admin/v1${path}`, { ...init, headers, signal });
  const console = async () => {
    const events = await ask('/events');
    // It is cut in the end.
    const reading = events.text().catch(() => undefined);
    while (!signal.aborted) {
      await (await ask('/overview')).text();
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
    await reading;
  };
  const report = async () => {
    while (!signal.aborted) {
      const month = new Date().toISOString().slice(0, 7);
      await (await ask(`/spend?month=${month}&by=user`)).text();
      await (await ask(`/spend?month=${month}&by=model,key`)).text();
    }
  };
  const all = [...Array.from({ length: consoles }, console), report()];
  // They end by being cut.
  await Promise.allSettled(all);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
