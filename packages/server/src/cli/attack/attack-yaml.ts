import { formatUsd } from '../../lib/money.ts';

/** The most that one call of the attack can cost is known: its caps are multiples of that. */
export interface AttackApp {
  readonly name: string;
  readonly capPicoUsd: bigint;
}

/** One app for each kind of attack, so that each has a cap and a bill of its own. */
export const attackApps = {
  /** Fits 37 calls and not one more. */
  concurrency: { name: 'concurrency', callsThatFit: 37n },
  /** Is used up while services die. */
  kills: { name: 'kills', callsThatFit: 150n },
  duplicates: { name: 'duplicates', callsThatFit: 2_000n },
  /** Fits 10 calls a day. */
  midnight: { name: 'midnight', callsThatFit: 10n },
} as const;

/** The call that every attack makes: its bound is fixed by its bytes and its `maxTokens`. */
export const attackCall = {
  maxTokens: 1_000,
  messages: [{ role: 'user', content: 'Attack!' }],
} as const;

/** The most that {@link attackCall} can cost: the same for every model of this length of name. */
export function boundPicoUsd(model: string): bigint {
  const bytes = BigInt(Buffer.byteLength(JSON.stringify({ model, ...attackCall })));
  return (bytes + 1_024n) * dearestInputPicoUsd + BigInt(attackCall.maxTokens) * outputPicoUsd;
}

const dearestInputPicoUsd = 150_000n;
const outputPicoUsd = 600_000n;
const price = 'inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.60"';

/** Models of the attack: ids of the same length, so that they have the same bound. */
export const attackModels = { quick: 'quick', slowly: 'slowl' } as const;

/** The configuration of an attack; a cap is a multiple of the bound of one call. */
export function attackYaml(parts: { simulatorUrl: string; store: string }): string {
  const bound = boundPicoUsd(attackModels.quick);
  const apps = Object.values(attackApps).map(
    ({ name, callsThatFit }) =>
      `  - { name: ${name}, dailyBudgetUsd: "${formatUsd(bound * callsThatFit)}" }`,
  );
  return [
    'company: attack',
    'listen: { port: 0 }',
    'admin: { port: 0 }',
    `store: ${JSON.stringify(parts.store)}`,
    `platforms: { sandbox: { kind: simulator, baseUrl: ${JSON.stringify(parts.simulatorUrl)} } }`,
    'plans: { user: { ratePerSecond: 1000000, burst: 1000000, requestsPerDay: 1000000000 } }',
    'models:',
    `  - { id: ${attackModels.quick}, platform: sandbox, upstreamModel: sim-echo, ${price} }`,
    `  - { id: ${attackModels.slowly}, platform: sandbox, upstreamModel: sim-slow, ${price} }`,
    'apps:',
    ...apps,
    '',
  ].join('\n');
}
