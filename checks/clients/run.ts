import process from 'node:process';
import { endOf } from '../../harness/process.ts';
import { checkBooks } from '../../packages/server/test/compatible/support/check-books.ts';
import {
  models,
  startService,
} from '../../packages/server/test/compatible/support/client-house.ts';
import { breakArguments } from './broken-arguments.ts';
import { expected, journeys, surpriseOf } from './expected.ts';
import { type Front, startFront } from './front.ts';
import { installClients } from './install.ts';
import { type Client, clients } from './programs.ts';
import { compareSent, recordSent } from './sent.ts';
import { turnCount } from './vendors/journey.ts';
import { startVendors, thinkers } from './vendors/vendors.ts';

const clientMs = 180_000;
const questionCount = 2;
/** Most of a client's time passes between its attempts. */
const atOnce = 4;
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isRecording = process.argv.includes('--record');

if (!process.argv.includes('--installed')) await installClients();
const chosen = clients.filter(({ name }) => names.length === 0 || names.includes(name));
const vendors = await startVendors();
const server = await startService({ ...vendors, script: breakArguments });
const front = await startFront(server.port);
let surprises = 0;
try {
  const queue = chosen.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const client of queue) await tryClient(client);
    }),
  );
  const otherPicoUsd = vendors.billedPicoUsd();
  for (const books of [{ app: 'team' }, { app: 'agents', otherPicoUsd, isExact: true }]) {
    if (chosen.some(({ app }) => app === books.app)) {
      await step('books', async () => print(await checkBooks(server, books)));
    }
  }
  if (isRecording) recordSent(front.sent);
  else for (const change of compareSent(front.sent)) surprise(change);
  print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
} finally {
  front.close();
  await server.close();
  vendors.close();
}

/** Runs a client's scenarios. */
async function tryClient(client: Client) {
  const { name, command, app } = client;
  const [program = '', ...argv] = command;
  const env = {
    ...{ PATH: process.env.PATH, EXPLAIN: process.env.EXPLAIN, PYTHONDONTWRITEBYTECODE: '1' },
    // Its prices are not used, and must not be downloaded.
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    ...{
      API_KEY: await server.key(app),
      SPENT_KEY: await server.key('spent'),
      BASE_URL: `${front.url}/${name}`,
      MODELS: JSON.stringify({ ...models, thinkers }),
    },
  };
  await step(name, async () => {
    const { code, stdout, stderr } = await endOf(program, argv, { env, timeout: clientMs });
    print(name);
    if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`);
    if (process.env.EXPLAIN) print(stderr);
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"scenario"'));
    if (lines.length === 0) surprise(`${name} received nothing`);
    for (const line of lines) {
      const { scenario, saw } = JSON.parse(line);
      const difference = surpriseOf(expected[scenario] ?? { known: true }, saw);
      const requests = requestsOf(front, name, scenario);
      print(`  ${scenario}: ${JSON.stringify(saw)}, ${requests} requests`);
      if (difference !== undefined) surprise(`${name}, ${scenario}: ${difference}`);
      const tries = triesOf(client, scenario);
      if (tries !== undefined && requests !== tries) {
        surprise(`${name}, ${scenario}: ${requests} requests, not ${tries}`);
      }
    }
  });
}

/**
 * A spent budget is reported once; a throttled call is retried by the client's own policy. An agent
 * makes one request for each turn of its two questions.
 */
function triesOf({ triesWhenThrottled }: Client, scenario: string): number | undefined {
  if (scenario === 'spent') return 1;
  if (journeys.includes(scenario)) return questionCount * turnCount;
  return scenario === 'throttled' ? triesWhenThrottled : undefined;
}

function requestsOf({ sent }: Front, client: string, scenario: string): number {
  return sent.filter((one) => one.client === client && one.scenario === scenario).length;
}

async function step(name: string, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    surprise(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function surprise(text: string) {
  surprises += 1;
  print(`  SURPRISE ${text}`);
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
