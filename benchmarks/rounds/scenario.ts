import type { Pace } from '../load/job.ts';
import { deltasOfStream, dimensions, type Operation } from '../load/operation.ts';

/** One line of the table for each side: the callers' pace and the kind of call. */
export interface Scenario {
  readonly name: string;
  readonly operation: Operation;
  readonly pace: Pace;
  readonly prompt: PromptName;
  /** The response time of the upstream. */
  readonly upstreamMs: number;
  readonly hasIdempotencyKeys: boolean;
  readonly isUpstreamTls: boolean;
}

export type PromptName = 'short' | '8 kB' | '100 kB';

const promptCharacters = { short: 60, '8 kB': 8_000, '100 kB': 100_000 } as const;

/** Text of about a prompt's length, with some characters that JSON must escape. */
export function promptText(name: PromptName): string {
  const sentence = 'Say "hello" to the people of São Paulo,\nin one sentence, and then stop.\n';
  return sentence
    .repeat(promptCharacters[name] / sentence.length + 1)
    .slice(0, promptCharacters[name]);
}

const prompts: readonly PromptName[] = ['short', '8 kB', '100 kB'];

const operationWords: Readonly<Record<Operation, readonly string[]>> = {
  chat: [],
  stream: [`streams of ${deltasOfStream} deltas`],
  relay: ['relayed messages'],
  embeddings: [`embeddings of ${dimensions} numbers`],
};

export const allScenarios: readonly Scenario[] = [
  ...[1, 32, 256].flatMap((connections) =>
    prompts.map((prompt) => scenario({ pace: { kind: 'closed', connections }, prompt })),
  ),
  ...[32, 256].map((connections) =>
    scenario({ pace: { kind: 'closed', connections }, hasIdempotencyKeys: true }),
  ),
  scenario({ pace: { kind: 'closed', connections: 32 }, operation: 'stream' }),
  scenario({ pace: { kind: 'closed', connections: 32 }, operation: 'embeddings' }),
  scenario({ pace: { kind: 'closed', connections: 32 }, isUpstreamTls: true }),
  scenario({ pace: { kind: 'closed', connections: 256 }, upstreamMs: 200 }),
  scenario({ pace: { kind: 'open', callsPerSecond: 500, connectionsMax: 64 } }),
  scenario({ pace: { kind: 'open', callsPerSecond: 500, connectionsMax: 256 }, upstreamMs: 200 }),
];

/** The scenarios that fit into a minute. */
export const quickScenarios: readonly Scenario[] = [
  scenario({ pace: { kind: 'closed', connections: 32 } }),
];

function scenario(parts: Pick<Scenario, 'pace'> & Partial<Scenario>): Scenario {
  const plain = { operation: 'chat', prompt: 'short', upstreamMs: 0 } as const;
  const whole = { ...plain, hasIdempotencyKeys: false, isUpstreamTls: false, ...parts };
  return { ...whole, name: nameOf(whole) };
}

function nameOf(parts: Omit<Scenario, 'name'>): string {
  const { pace, operation, prompt, upstreamMs, hasIdempotencyKeys, isUpstreamTls } = parts;
  const load =
    pace.kind === 'open' ? `${pace.callsPerSecond}/s` : `${pace.connections} connections`;
  const extras = [
    ...(upstreamMs === 0 ? [] : [`upstream ${upstreamMs} ms`]),
    ...(hasIdempotencyKeys ? ['idempotency keys'] : []),
    ...(isUpstreamTls ? ['TLS to the upstream'] : []),
  ];
  return [load, `${prompt} prompt`, ...operationWords[operation], ...extras].join(', ');
}
