import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { microsOfBlock } from './load/block.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { median } from './report/rows.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';
import { benchModel } from './sides/side.ts';

// Compares the processor time of a call of OpenAI's clients with the same call of the gateway's own
// API. Blocks of both take turns, so other work on the machine affects both.

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '40' },
    calls: { type: 'string', default: '400' },
  },
});
const blocks = Number(values.blocks);
const calls = Number(values.calls);
/** Blocks that compile the code of both; they are not counted. */
const lead = 5;
/** The aim is documented in `docs/performance.md`. */
const aim = 1.15;

process.exitCode = (await withScope(600_000, measure)) ? 0 : 1;

async function measure(scope: Scope): Promise<boolean> {
  const folder = join(makeDataFolder(scope), 'gateway');
  mkdirSync(folder);
  const { url: upstreamUrl } = await startServer(scope, { argv: [scriptPath('upstream.ts')] });
  const more = { ingress: { openai: true } };
  const { pid, target } = await gatewayOnSqlite.start(scope, { upstreamUrl, folder, more });
  if (pid === undefined) throw new Error('the gateway has a process');
  const own = target('What is a gateway?');
  const compatible = { ...own, path: '/openai/v1/chat/completions', body: inOtherWords(own.body) };
  const seen: { readonly own: number; readonly compatible: number }[] = [];
  for (let block = 0; block < lead + blocks; block++) {
    const pair = {
      own: await microsOfBlock(pid, own, calls),
      compatible: await microsOfBlock(pid, compatible, calls),
    };
    if (block >= lead) seen.push(pair);
  }
  const ratio = median(seen.map((pair) => pair.compatible / pair.own));
  const each = (side: 'own' | 'compatible') => Math.round(median(seen.map((pair) => pair[side])));
  print(`/v1/chat                    ${each('own')} µs of processor time a call`);
  print(`/openai/v1/chat/completions ${each('compatible')} µs, × ${ratio.toFixed(3)} (aim ${aim})`);
  return ratio <= aim;
}

/** A call of `/v1/chat` in the format of OpenAI's clients. */
function inOtherWords(body: string): string {
  const { maxTokens, messages } = JSON.parse(body);
  return JSON.stringify({ model: benchModel, max_completion_tokens: maxTokens, messages });
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
