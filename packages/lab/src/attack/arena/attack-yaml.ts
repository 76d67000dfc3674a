import { formatUsd, formatUsdPerMillion } from '@model-gateway/server/lib/money';
import {
  type AttackApp,
  attackAlias,
  attackApps,
  attackModels,
  attackRates,
  embeddingModel,
  embeddingRates,
  floodApps,
  memberPicoUsd,
  nameOfPrice,
  reportedRates,
  scopeCap,
  spareApp,
  unusualUserFits,
} from './accounts.ts';
import type { Rates } from './planned-call.ts';
import { reportedModels, type Wire } from './reported-shapes.ts';
import { scopeGroups } from './scope-crowds.ts';
import { type ServedModel, servedModels, servedPrice } from './served.ts';

export const attackLimits = { modelCallMs: 6_000, gatewayMs: 9_000, drainMs: 12_000 } as const;

export function attackYaml(parts: {
  readonly simulatorUrl: string;
  readonly store: string;
  readonly capOf: (app: AttackApp) => bigint;
  readonly threads: number;
}): string {
  const { modelCallMs, gatewayMs, drainMs } = attackLimits;
  const { pair, team } = scopeGroups;
  const dayOf = (app: AttackApp) => parts.capOf(app) * (app.isRoomy === undefined ? 1n : 2n);
  return [
    'company: attack',
    'listen: { port: 0 }',
    'admin: { port: 0 }',
    `store: ${JSON.stringify(parts.store)}`,
    `threads: ${parts.threads}`,
    `limits: { modelCallMs: ${modelCallMs}, gatewayMs: ${gatewayMs}, drainMs: ${drainMs} }`,
    'streaming: true',
    'ingress: { openai: true, anthropic: true }',
    'retry: { attempts: 2, baseMs: 20, capMs: 100 }',
    `platforms: { sandbox: { kind: simulator, baseUrl: ${JSON.stringify(parts.simulatorUrl)} } }`,
    'plans: { user: { ratePerSecond: 1000000, burst: 1000000, requestsPerDay: 1000000000 } }',
    'models:',
    ...Object.values(attackModels).map(modelLine),
    `  - { id: ${embeddingModel}, ${priceOf(embeddingRates)}, kind: embeddings }`,
    ...reportedModels.map(reportedLine),
    ...servedModels.map(servedLine),
    `  - { id: ${attackAlias.id}, route: [${attackAlias.route.join(', ')}] }`,
    'apps:',
    ...Object.values(attackApps).map(
      (app: AttackApp) =>
        `  - { name: ${app.name}, dailyBudgetUsd: "${formatUsd(dayOf(app))}"${unpricedOf(app)}${adoptingOf(app)}${creditsOf(app)}${scopesOf(app)} }`,
    ),
    ...Object.values(floodApps).map(
      (name) => `  - { name: ${name}, plans: { user: ${floodPlan} } }`,
    ),
    `  - { name: ${spareApp} }`,
    'budgets:',
    `  - { name: ${pair.name}, apps: [${pair.apps.join(', ')}], dailyUsd: "${usdOf('group-day:pair')}" }`,
    `  - { name: ${team.name}, apps: [${team.apps.join(', ')}], monthlyUsd: "${usdOf('group-month:team')}", visible: true }`,
    '',
  ].join('\n');
}

/** Higher counts are invalid, and booked at this limit. */
const contextTokens = 100_000;

/** The default rate limit of every key, so a flooder has no higher one. */
const floodPlan = '{ ratePerSecond: 50, burst: 100, requestsPerDay: 100000 }';

const formats: Readonly<Record<string, string>> = {
  ...{ responses: 'responses', messages: 'messages' },
  [attackModels.responding]: 'responses',
  [attackModels.messaging]: 'messages',
};

export function modelLine(id: string): string {
  return `  - { id: ${id}, ${priceOf(attackRates)}, ${outputOf(attackRates)}${formatOf(id)} }`;
}

/** Its name at the platform contains its cache prices. */
function reportedLine({ id, wire }: { readonly id: string; readonly wire: Wire }): string {
  if (wire === 'embeddings')
    return `  - { id: ${id}, ${priceOf(embeddingRates)}, kind: embeddings }`;
  const read = formatUsdPerMillion(reportedRates.cachedInputPicoUsd);
  const write = formatUsdPerMillion(reportedRates.cacheWriteInputPicoUsd);
  const price = priceOf(reportedRates, `-cache-${read}-${write}`);
  const cache = `cachedInputUsdPerMillion: "${read}", cacheWriteInputUsdPerMillion: "${write}"`;
  return `  - { id: ${id}, ${price}, ${cache}, ${outputOf(reportedRates)}${formatOf(wire)} }`;
}

function servedLine(model: ServedModel): string {
  const { id, wire } = model;
  const context = `contextTokens: ${contextTokens}`;
  return `  - { id: ${id}, platform: sandbox, ${servedPrice(model)}, ${context}${formatOf(wire)} }`;
}

function outputOf({ outputPicoUsd }: Rates): string {
  const output = `outputUsdPerMillion: "${formatUsdPerMillion(outputPicoUsd)}"`;
  return `contextTokens: ${contextTokens}, ${output}`;
}

function formatOf(idOrWire: string): string {
  const format = formats[idOrWire];
  return format === undefined ? '' : `, speaks: [${format}]`;
}

function priceOf(rates: Rates, cache = ''): string {
  const input = `inputUsdPerMillion: "${formatUsdPerMillion(rates.inputPicoUsd)}"`;
  return `platform: sandbox, upstreamModel: ${nameOfPrice(rates)}${cache}, ${input}`;
}

function unpricedOf({ unpriced }: AttackApp): string {
  return unpriced === undefined ? '' : `, unpriced: ${unpriced}`;
}

function adoptingOf({ adoptRetries }: AttackApp): string {
  return adoptRetries === undefined ? '' : `, adoptRetries: ${adoptRetries}`;
}

const picoUsdPerCredit = 1_000_000n;

function creditsOf({ grantFits, maximumCostPicoUsd, storeAnswers }: AttackApp): string {
  const stores = storeAnswers === undefined ? '' : `, storeAnswers: ${storeAnswers}`;
  if (grantFits === undefined || maximumCostPicoUsd === undefined) return stores;
  const grant = (BigInt(grantFits) * maximumCostPicoUsd) / picoUsdPerCredit;
  return `${stores}, credits: { monthlyGrant: "${grant}", usdPerCredit: "${formatUsd(picoUsdPerCredit)}" }`;
}

/** Without the budgets of keys, which are not in the file. */
function scopesOf({ name }: AttackApp): string {
  const { capped, monthly, odd } = attackApps;
  if (name === odd.name) {
    return `, perUserDailyUsd: "${formatUsd(BigInt(unusualUserFits) * memberPicoUsd)}"`;
  }
  if (name === capped.name) return `, perUserDailyUsd: "${usdOf('user-day')}"`;
  return name === monthly.name ? `, monthlyBudgetUsd: "${usdOf('app-month')}"` : '';
}

function usdOf(scope: string): string {
  return formatUsd(scopeCap(scope));
}
