import { formatUsdPerMillion } from '@model-gateway/server/lib/money';
import { type Ask, askInFull, mostOf, preambleTokens, type Rates, type Told } from './ask.ts';
import type { Account } from './books/books.ts';
import { fitsOf, isHeldTo, type ScopeCrowd, scopeCrowds } from './scope-crowds.ts';

/** An app of the attack: one for each stage, so that each has a cap and a bill of its own. */
export interface AttackApp {
  readonly name: string;
  /** How many ordinary calls of its stage fit under its cap, to the last pico-USD. */
  readonly fits: number;
  /** What the platform is told with its ordinary call, besides billing all that it may. */
  readonly told?: Told;
  /** What that call costs where it is no ordinary one of `/v1`. */
  readonly mostPicoUsd?: bigint;
  /** What it says of models without a price: its ordinary calls name some. */
  readonly unpriced?: 'dearest' | 'refuse';
  /** Set where a retry without a key takes up what it repeats. */
  readonly adoptRetries?: true;
  /** How many of its ordinary calls a user's credits of a month pay; without it there are none. */
  readonly grantFits?: number;
  /** Set where no result is stored. */
  readonly storeAnswers?: false;
  /** Set where another cap than its day's is to be full: its day has room for twice as much. */
  readonly isRoomy?: true;
}

/** The price of all, as `attack-yaml.ts` and the simulator's name of them say it. */
export const attackRates: Rates = {
  inputPicoUsd: 3_000_000n,
  heldInputPicoUsd: 3_000_000n,
  outputPicoUsd: 15_000_000n,
};

/**
 * Tokens of an ordinary call of the surfaces' stage, on whichever surface: its body is padded to
 * one size. With more output, embeddings of its cost would be the dearest models of all, at whose
 * price models without one are held.
 */
export const surfaceTokens = { input: 1_600, output: 800 } as const;

/** What that call costs. */
export const surfacePicoUsd =
  BigInt(surfaceTokens.input) * attackRates.heldInputPicoUsd +
  BigInt(surfaceTokens.output) * attackRates.outputPicoUsd;

/** Embeddings have no output: at this price of input they cost the same. */
export const embeddingRates: Rates = {
  inputPicoUsd: surfacePicoUsd / BigInt(surfaceTokens.input),
  heldInputPicoUsd: surfacePicoUsd / BigInt(surfaceTokens.input),
  outputPicoUsd: 0n,
};

/** Those of the models that report in other ways: cached input has prices of its own. */
export const reportedRates = {
  ...{ inputPicoUsd: 3_000_000n, outputPicoUsd: 15_000_000n },
  ...{ cachedInputPicoUsd: 300_000n, cacheWriteInputPicoUsd: 3_750_000n },
  heldInputPicoUsd: 3_750_000n,
} as const satisfies Rates & Record<string, bigint>;

const streamedText = 'one two three four five six seven eight nine ten';

/** Slow, so that all that are admitted run at once. */
export const scopedTold: Told = { delayMs: 500, text: streamedText, stream: { gapMs: 20 } };

/** An app of the stage of scopes: its calls cost what those of the surfaces do. */
function scopedApp(name: ScopeCrowd['app']): AttackApp {
  const crowds = scopeCrowds.filter(({ app }) => app === name);
  const own = { name, fits: fitsOf(crowds), mostPicoUsd: surfacePicoUsd, told: scopedTold };
  return crowds.some(({ scope }) => scope === 'app-day') ? own : { ...own, isRoomy: true };
}

/** The cap of a scope: what all crowds come to that are held to it. */
export function scopeCap(scope: string): bigint {
  return BigInt(fitsOf(scopeCrowds.filter((crowd) => isHeldTo(crowd, scope)))) * surfacePicoUsd;
}

/** Bytes of the body and tokens of a call of members, whatever the id of its user. */
export const memberCall = { bodyBytes: 1_200, input: 1_200 + preambleTokens, output: 800 } as const;

/** The cost of such a call. */
export const memberPicoUsd = mostOf(memberCall.input, memberCall.output, attackRates);

/** Of their days' room; the stage says what their accounts may spend. */
const memberApp = { fits: 1_000, mostPicoUsd: memberPicoUsd, isRoomy: true } as const;

/** How many calls fit each user's cap of the app whose users have odd ids. */
export const oddUserFits = 6;

/** Readings of each way in which a platform says its counts twice: see `contradictions.ts`. */
const contradictedFits = 112;

/** Calls whose platform chooses tier and region: see `served.ts`. */
const servedFits = 72;

/** Answers that report in other ways, and room for what is billed before a rejection. */
const reportedFits = 136;

/** An app whose users pay: of its day's room; the stage says what its account may spend. */
const metered = { mostPicoUsd: surfacePicoUsd, fits: 100, grantFits: 30, isRoomy: true } as const;

/** A member of groups that never calls. */
export const spareApp = 'spare';

/** The apps, in the order of the verdict. */
export const attackApps = {
  // Slow, so that all that are admitted run at once.
  crowd: { name: 'crowd', fits: 37, told: { delayMs: 1_500 } },
  // Slow, so that copies meet the call while it runs.
  duplicates: { name: 'duplicates', fits: 60, told: { delayMs: 400 } },
  unpriced: { name: 'unpriced', fits: 40, unpriced: 'dearest' },
  forbidden: { name: 'forbidden', fits: 1, unpriced: 'refuse' },
  normalizing: { name: 'normalizing', fits: 40 },
  overstated: { name: 'overstated', fits: 50 },
  losses: { name: 'losses', fits: 110 },
  // Several deltas, so that callers leave and platforms break within them.
  streams: { name: 'streams', fits: 90, told: { text: streamedText, stream: { gapMs: 40 } } },
  // Slow, as the crowd is.
  surfaces: {
    ...{ name: 'surfaces', fits: 40, mostPicoUsd: surfacePicoUsd, adoptRetries: true },
    told: { delayMs: 1_500, text: streamedText, stream: { gapMs: 20 } },
  },
  capped: scopedApp('capped'),
  monthly: scopedApp('monthly'),
  grouped: scopedApp('grouped'),
  teamed: scopedApp('teamed'),
  // Their caps are a group's, whose members they are in turn, and those of the first one's users.
  odd: { name: 'odd', ...memberApp },
  early: { name: 'early', ...memberApp },
  late: { name: 'late', ...memberApp },
  mover: { name: 'mover', ...memberApp },
  contradicted: { name: 'contradicted', fits: contradictedFits, mostPicoUsd: surfacePicoUsd },
  reported: {
    ...{ name: 'reported', fits: reportedFits },
    mostPicoUsd: mostOf(surfaceTokens.input, surfaceTokens.output, reportedRates),
  },
  served: { name: 'served', fits: servedFits, mostPicoUsd: surfacePicoUsd },
  stored: { name: 'stored', ...metered },
  unstored: { name: 'unstored', ...metered, storeAnswers: false },
  adopting: { name: 'adopting', ...metered, adoptRetries: true },
  // A wallet or a day that fits one call, or a day that fits a dead call and the one after it.
  heirs: { name: 'heirs', ...metered, grantFits: 1 },
  pressed: { name: 'pressed', ...metered, grantFits: 1, fits: 1 },
  brimful: { name: 'brimful', mostPicoUsd: surfacePicoUsd, fits: 1 },
  overdue: { name: 'overdue', ...metered },
  midnight: { name: 'midnight', fits: 10, told: { delayMs: 500 } },
  // Slow, so that a kill meets calls at the platform, and streams within their text.
  kills: {
    ...{ name: 'kills', fits: 250 },
    told: { delayMs: 100, text: streamedText, stream: { gapMs: 20 } },
  },
  victim: { name: 'victim', fits: 40 },
} as const satisfies Record<string, AttackApp>;

/** What the key is called here that has a cap of its own. */
export const cappedKey = 'capped key';

/** Apps that only flood: they have no cap, and must be billed nothing. */
export const floodApps = { announcer: 'announcer', bomber: 'bomber' } as const;

/** The catalog's models of the attack, each by the name that the platform has for it. */
export const attackModels = {
  /** An ordinary one. */
  asked: 'asked',
  /** One whose answers get lost: a gateway leaves a model alone that keeps failing. */
  lossy: 'lossy',
  /** One whose streams break off. */
  streamed: 'streamed',
  /** One that speaks OpenAI's responses. */
  responding: 'responding',
  /** One that speaks Anthropic's messages. */
  messaging: 'messaging',
} as const;

/** One that gives embeddings. */
export const embeddingModel = 'embedding';

/** A name that leads to two of them. */
export const attackAlias = { id: 'either', route: [attackModels.asked, attackModels.streamed] };

/** A label of a fixed length, so that calls of one stage have the same size. */
export function labelOf(account: string, index: number): string {
  return `${account}/${String(index).padStart(5, '0')}`;
}

/** An ordinary call of a stage: the same size each time, so that its most is the same. */
export function ordinaryAsk(
  { told, unpriced }: AttackApp,
  call: { readonly account: string; readonly index: number; readonly dearest: Rates },
): Ask {
  const label = labelOf(call.account, call.index);
  const model = unpriced === undefined ? attackModels.asked : unpricedName(call);
  const rates = unpriced === undefined ? attackRates : call.dearest;
  return askInFull({ label, model, rates, ...(told && { told }) });
}

/** A name that no catalog has, and that the platform bills at the dearest rates of any. */
export function unpricedName(call: { readonly index: number; readonly dearest: Rates }): string {
  return `${nameOfPrice(call.dearest)}-${String(call.index).padStart(5, '0')}`;
}

/** The model name under which the platform bills at these rates. */
export function nameOfPrice({ inputPicoUsd, outputPicoUsd }: Rates): string {
  return `sim-usd-${formatUsdPerMillion(inputPicoUsd)}-${formatUsdPerMillion(outputPicoUsd)}`;
}

/** The accounts of an app: midnight has one for each of its two days. */
export function accountNames({ name }: AttackApp): readonly string[] {
  return name === attackApps.midnight.name ? ['midnight-1', 'midnight-2'] : [name];
}

/** What an app can spend on its day. */
export function capOf(app: AttackApp, dearest: Rates): bigint {
  const [account = app.name] = accountNames(app);
  const ordinary = () => ordinaryAsk(app, { account, index: 0, dearest }).mostPicoUsd;
  return BigInt(app.fits) * (app.mostPicoUsd ?? ordinary());
}

const overstatedNames: readonly string[] = [attackApps.overstated.name, attackApps.overdue.name];

/** The caps of all stages; `days` are those before and after midnight. */
export function accountsOf(dearest: Rates, days: readonly string[]): Account[] {
  return Object.values(attackApps).flatMap((app: AttackApp) =>
    accountNames(app).map((name, index) => ({
      name,
      app: app.name,
      day: app.name === attackApps.midnight.name ? days[index] : undefined,
      capPicoUsd: app.name === attackApps.forbidden.name ? 0n : capOf(app, dearest),
      ...(overstatedNames.includes(app.name) && { isOverstated: true as const }),
      ...(app.name === attackApps.adopting.name && { isRepeated: true as const }),
      ...(app.name === attackApps.overdue.name && { isCorrectedBelow: true as const }),
    })),
  );
}
