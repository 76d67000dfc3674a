import { formatUsdPerMillion } from '@model-gateway/server/lib/money';
import type { Account } from '../books/books.ts';
import {
  createFullCostCall,
  mostOf,
  type PlannedCall,
  type PlatformInstructions,
  preambleTokens,
  type Rates,
} from './planned-call.ts';
import { fitsOf, isHeldTo, type ScopeCrowd, scopeCrowds } from './scope-crowds.ts';

/** One for each stage, so each has its own budget and bill. */
export interface AttackApp {
  readonly name: string;
  /** The number of its ordinary calls that fit its budget, to the last pico-USD. */
  readonly fits: number;
  /** Instructions to the platform, in addition to billing the full reservation. */
  readonly instructions?: PlatformInstructions;
  /** Set if its ordinary call does not use `/v1`. */
  readonly maximumCostPicoUsd?: bigint;
  /** Set if its ordinary calls name models without a price. */
  readonly unpriced?: 'dearest' | 'refuse';
  /** A retry without a key adopts the call that it repeats. */
  readonly adoptRetries?: true;
  /** The number of calls that a user's monthly credits cover; without it there are no credits. */
  readonly grantFits?: number;
  readonly storeAnswers?: false;
  /** Another budget must fill up first: its daily budget is twice as large. */
  readonly isRoomy?: true;
}

/** Same values as in `attack-yaml.ts` and in the simulator's names of the models. */
export const attackRates: Rates = {
  inputPicoUsd: 3_000_000n,
  heldInputPicoUsd: 3_000_000n,
  outputPicoUsd: 15_000_000n,
};

/**
 * Bodies are padded to one size. More output would give embeddings of this cost the highest rates,
 * which price the unpriced models.
 */
export const surfaceTokens = { input: 1_600, output: 800 } as const;

export const surfacePicoUsd =
  BigInt(surfaceTokens.input) * attackRates.heldInputPicoUsd +
  BigInt(surfaceTokens.output) * attackRates.outputPicoUsd;

/** Embeddings have no output: this input price makes them cost the same. */
export const embeddingRates: Rates = {
  inputPicoUsd: surfacePicoUsd / BigInt(surfaceTokens.input),
  heldInputPicoUsd: surfacePicoUsd / BigInt(surfaceTokens.input),
  outputPicoUsd: 0n,
};

export const reportedRates = {
  ...{ inputPicoUsd: 3_000_000n, outputPicoUsd: 15_000_000n },
  ...{ cachedInputPicoUsd: 300_000n, cacheWriteInputPicoUsd: 3_750_000n },
  heldInputPicoUsd: 3_750_000n,
} as const satisfies Rates & Record<string, bigint>;

const streamedText = 'one two three four five six seven eight nine ten';

export const scopedInstructions: PlatformInstructions = {
  delayMs: 500,
  text: streamedText,
  stream: { gapMs: 20 },
};

/** Its calls cost the same as the calls of the surfaces. */
function scopedApp(name: ScopeCrowd['app']): AttackApp {
  const crowds = scopeCrowds.filter(({ app }) => app === name);
  const own = {
    name,
    fits: fitsOf(crowds),
    maximumCostPicoUsd: surfacePicoUsd,
    instructions: scopedInstructions,
  };
  return crowds.some(({ scope }) => scope === 'app-day') ? own : { ...own, isRoomy: true };
}

/** The sum of all crowds that it limits. */
export function scopeCap(scope: string): bigint {
  return BigInt(fitsOf(scopeCrowds.filter((crowd) => isHeldTo(crowd, scope)))) * surfacePicoUsd;
}

export const memberCall = { bodyBytes: 1_200, input: 1_200 + preambleTokens, output: 800 } as const;

export const memberPicoUsd = mostOf(memberCall.input, memberCall.output, attackRates);

const memberApp = { fits: 1_000, maximumCostPicoUsd: memberPicoUsd, isRoomy: true } as const;

export const unusualUserFits = 6;

/** One call per contradiction: see `contradictions.ts`. */
const contradictedFits = 112;

/** The platform chooses these calls' tier and region: see `served.ts`. */
const servedFits = 72;

/** Includes reserve for bills that come before a rejection. */
const reportedFits = 136;

/** `fits` sets its daily budget; the stage decides how much its account may spend. */
const metered = {
  maximumCostPicoUsd: surfacePicoUsd,
  fits: 100,
  grantFits: 30,
  isRoomy: true,
} as const;

/** A member of groups that never makes calls. */
export const spareApp = 'spare';

/** In the order of the verdict. */
export const attackApps = {
  // Slow: all admitted calls run at once.
  crowd: { name: 'crowd', fits: 37, instructions: { delayMs: 1_500 } },
  // Slow: copies arrive while the call runs.
  duplicates: { name: 'duplicates', fits: 60, instructions: { delayMs: 400 } },
  unpriced: { name: 'unpriced', fits: 40, unpriced: 'dearest' },
  forbidden: { name: 'forbidden', fits: 1, unpriced: 'refuse' },
  normalizing: { name: 'normalizing', fits: 40 },
  overstated: { name: 'overstated', fits: 50 },
  losses: { name: 'losses', fits: 110 },
  // Several deltas: callers disconnect and platforms break within them.
  streams: {
    name: 'streams',
    fits: 90,
    instructions: { text: streamedText, stream: { gapMs: 40 } },
  },
  // Slow, like the crowd.
  surfaces: {
    ...{ name: 'surfaces', fits: 40, maximumCostPicoUsd: surfacePicoUsd, adoptRetries: true },
    instructions: { delayMs: 1_500, text: streamedText, stream: { gapMs: 20 } },
  },
  capped: scopedApp('capped'),
  monthly: scopedApp('monthly'),
  grouped: scopedApp('grouped'),
  teamed: scopedApp('teamed'),
  // Their limits are the budgets of a group with changing members, and of the first one's users.
  odd: { name: 'odd', ...memberApp },
  early: { name: 'early', ...memberApp },
  late: { name: 'late', ...memberApp },
  mover: { name: 'mover', ...memberApp },
  contradicted: {
    name: 'contradicted',
    fits: contradictedFits,
    maximumCostPicoUsd: surfacePicoUsd,
  },
  reported: {
    ...{ name: 'reported', fits: reportedFits },
    maximumCostPicoUsd: mostOf(surfaceTokens.input, surfaceTokens.output, reportedRates),
  },
  served: { name: 'served', fits: servedFits, maximumCostPicoUsd: surfacePicoUsd },
  stored: { name: 'stored', ...metered },
  unstored: { name: 'unstored', ...metered, storeAnswers: false },
  adopting: { name: 'adopting', ...metered, adoptRetries: true },
  // A wallet or a daily budget for one call, or a daily budget for a dead call and its successor.
  heirs: { name: 'heirs', ...metered, grantFits: 1 },
  pressed: { name: 'pressed', ...metered, grantFits: 1, fits: 1 },
  brimful: { name: 'brimful', maximumCostPicoUsd: surfacePicoUsd, fits: 1 },
  overdue: { name: 'overdue', ...metered },
  midnight: { name: 'midnight', fits: 10, instructions: { delayMs: 500 } },
  // Slow: a kill interrupts calls at the platform, and streams within their text.
  kills: {
    ...{ name: 'kills', fits: 250 },
    instructions: { delayMs: 100, text: streamedText, stream: { gapMs: 20 } },
  },
  victim: { name: 'victim', fits: 40 },
} as const satisfies Record<string, AttackApp>;

export const cappedKey = 'capped key';

/** They have no budget, and must be billed nothing. */
export const floodApps = { announcer: 'announcer', bomber: 'bomber' } as const;

export const attackModels = {
  asked: 'asked',
  /** Its responses get lost, and a gateway stops calling a model that keeps failing. */
  lossy: 'lossy',
  streamed: 'streamed',
  responding: 'responding',
  messaging: 'messaging',
} as const;

export const embeddingModel = 'embedding';

export const attackAlias = { id: 'either', route: [attackModels.asked, attackModels.streamed] };

/** A fixed length gives all calls of one stage the same size. */
export function labelOf(account: string, index: number): string {
  return `${account}/${String(index).padStart(5, '0')}`;
}

/** Always the same size, so the same maximum cost. */
export function createOrdinaryCall(
  { instructions, unpriced }: AttackApp,
  call: { readonly account: string; readonly index: number; readonly highestRates: Rates },
): PlannedCall {
  const label = labelOf(call.account, call.index);
  const model = unpriced === undefined ? attackModels.asked : unpricedName(call);
  const rates = unpriced === undefined ? attackRates : call.highestRates;
  return createFullCostCall({ label, model, rates, ...(instructions && { instructions }) });
}

export function unpricedName(call: {
  readonly index: number;
  readonly highestRates: Rates;
}): string {
  return `${nameOfPrice(call.highestRates)}-${String(call.index).padStart(5, '0')}`;
}

export function nameOfPrice({ inputPicoUsd, outputPicoUsd }: Rates): string {
  return `sim-usd-${formatUsdPerMillion(inputPicoUsd)}-${formatUsdPerMillion(outputPicoUsd)}`;
}

/** Midnight has one account for each of its two days. */
export function accountNames({ name }: AttackApp): readonly string[] {
  return name === attackApps.midnight.name ? ['midnight-1', 'midnight-2'] : [name];
}

export function capOf(app: AttackApp, highestRates: Rates): bigint {
  const [account = app.name] = accountNames(app);
  const ordinary = () =>
    createOrdinaryCall(app, { account, index: 0, highestRates }).maximumCostPicoUsd;
  return BigInt(app.fits) * (app.maximumCostPicoUsd ?? ordinary());
}

const overstatedNames: readonly string[] = [attackApps.overstated.name, attackApps.overdue.name];

/** `days` are the days before and after midnight. */
export function accountsOf(highestRates: Rates, days: readonly string[]): Account[] {
  return Object.values(attackApps).flatMap((app: AttackApp) =>
    accountNames(app).map((name, index) => ({
      name,
      app: app.name,
      day: app.name === attackApps.midnight.name ? days[index] : undefined,
      capPicoUsd: app.name === attackApps.forbidden.name ? 0n : capOf(app, highestRates),
      ...(overstatedNames.includes(app.name) && { isOverstated: true as const }),
      ...(app.name === attackApps.adopting.name && { isRepeated: true as const }),
      ...(app.name === attackApps.overdue.name && { isCorrectedBelow: true as const }),
    })),
  );
}
