import { expect } from 'vitest';
import { openStack, type Stack } from '../../support/stack.ts';

/**
 * The whole service with both compatible APIs, and models of the simulator on their wire formats.
 */
export interface RelayStack extends Stack {
  ask(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
    app?: string,
  ): Promise<Response>;
  get(path: string): Promise<Response>;
  /** The whole response, while time passes for the platform. */
  textOf(response: Response): Promise<string>;
  /** The ledger passes its audit, and equals the platform's bill. */
  isPaid(): Promise<void>;
  /**
   * The reservation of a call with this body, read from the rejection of a budget that is too
   * small.
   */
  heldBy(body: unknown): Promise<bigint>;
}

interface RelayOptions {
  readonly streaming?: boolean;
  readonly unknownFields?: 'refuse' | 'ignore';
  readonly serverTools?: 'refuse' | 'remove';
  readonly unboundedInput?: 'refuse' | 'hold-context';
}

const prices = `inputUsdPerMillion: "0.15", cachedInputUsdPerMillion: "0.075", cacheWriteInputUsdPerMillion: "0.1875", outputUsdPerMillion: "0.60"`;

function yamlOf(options: RelayOptions): string {
  const { streaming = true, unknownFields = 'refuse', serverTools = 'refuse' } = options;
  const { unboundedInput = 'refuse' } = options;
  const rules = `unknownFields: ${unknownFields}, serverTools: ${serverTools}, unboundedInput: ${unboundedInput}`;
  const row = (id: string, upstream: string, family: string, more = '') =>
    `  - { id: ${id}, platform: sandbox, upstreamModel: ${upstream}, pathFamily: ${family}, ${prices}${more} }`;
  return `
company: acme
store: sqlite:./gateway.db
streaming: ${streaming}
ingress: { openai: true, anthropic: true, ${rules} }
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: poor, dailyBudgetUsd: "0.000001" }
models:
${row('claude', 'sim-told', 'anthropic-v1-messages', ', cacheWrite1hInputUsdPerMillion: "0.30"')}
${row('reader', 'sim-told', 'anthropic-v1-messages', ', images: true, contextTokens: 200000')}
${row('silent', 'sim-no-usage', 'anthropic-v1-messages', ', images: true, contextTokens: 200000')}
${row('gpt-reader', 'sim-told', 'v1-responses', ', images: true, contextTokens: 200000')}
  - { id: either, route: [reader, claude] }
${row('chat-reader', 'sim-told', 'v1-chat', ', images: true, contextTokens: 200000')}
${row('plain', 'sim-told', 'anthropic-v1-messages')}
${row('seeing', 'sim-echo', 'anthropic-v1-messages', ', images: true')}
${row('gpt', 'sim-told', 'v1-responses')}
`;
}

export async function openRelayStack(options: RelayOptions = {}): Promise<RelayStack> {
  const stack = await openStack({ yaml: yamlOf(options) });
  const { clock } = stack;
  return { ...stack, ask, get, textOf, isPaid, heldBy };

  async function ask(path: string, body: unknown, headers = {}, app = 'search') {
    const key = await stack.key(app);
    return stack.post(app, path, body, {
      headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01', ...headers },
    });
  }

  async function get(path: string) {
    const headers = { 'x-api-key': await stack.key('search') };
    return clock.run(stack.fetch(`http://gateway.test${path}`, { headers }));
  }

  function textOf(response: Response) {
    return clock.run(response.text());
  }

  async function isPaid() {
    expect(await stack.audit()).toMatchObject({ clean: true });
    const key = await stack.key('search');
    const headers = { 'x-api-key': key };
    const usage = await clock.run(stack.fetch('http://gateway.test/v1/usage', { headers }));
    const { costPicoUsd } = stack.simulator.bill().total;
    const { totals, budget } = JSON.parse(await usage.text());
    expect({ spent: budget.spentUsd, estimated: totals.estimatedUsd }).toEqual({
      spent: decimal(costPicoUsd),
      estimated: '0',
    });
  }

  async function heldBy(body: unknown) {
    const response = await ask('/anthropic/v1/messages', body, {}, 'poor');
    const message = /this call could cost \$(\d+\.\d+)/.exec(await response.text());
    const [whole = '', fraction = ''] = (message?.[1] ?? '').split('.');
    return BigInt(whole + fraction.padEnd(12, '0'));
  }
}

function decimal(picoUsd: bigint): string {
  const digits = picoUsd.toString().padStart(13, '0');
  const text = `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/0+$/, '');
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
