import Type from 'typebox';
import { basis, firstMs, tookMs, usage } from './calls-pages.ts';
import { after, changed, count, type Document, day, instant, nullable, usd } from './shapes.ts';

const rates = {
  inputUsdPerMillion: usd,
  cachedInputUsdPerMillion: usd,
  cacheWriteInputUsdPerMillion: usd,
  outputUsdPerMillion: usd,
  imageInputUsdPerMillion: Type.Optional(usd),
  audioInputUsdPerMillion: Type.Optional(usd),
  reasoningUsdPerMillion: Type.Optional(usd),
  imageOutputUsdPerMillion: Type.Optional(usd),
  audioOutputUsdPerMillion: Type.Optional(usd),
} as const;

const operatorPrice = {
  ...rates,
  longContext: Type.Optional(Type.Object({ fromInputTokens: count, ...rates })),
  steps: Type.Optional(Type.Array(Type.Object({ aboveInputTokens: count, ...rates }))),
  cacheWrite1hInputUsdPerMillion: Type.Optional(usd),
  perRequestUsd: Type.Optional(usd),
  toolUses: Type.Optional(Type.Record(Type.String(), Type.Object({ usdPerThousand: usd }))),
} as const;

/** USD per million tokens. */
export const OperatorPrice = Type.Object(operatorPrice);
export type OperatorPrice = Document<typeof OperatorPrice>;

export const PriceDocument = Type.Object({
  ...operatorPrice,
  version: Type.String(),
  tier: Type.Optional(Type.String()),
  region: Type.Optional(Type.String()),
});
export type PriceDocument = Document<typeof PriceDocument>;

const WalletParts = Type.Object({
  grantUsd: usd,
  topUpUsd: usd,
  credits: Type.Optional(Type.Object({ grant: Type.String(), topUp: Type.String() })),
});
export type WalletDocument = Document<typeof WalletParts>;

const head = {
  id: Type.String(),
  gatewayRequestId: nullable(Type.String()),
  traceId: Type.Optional(Type.String()),
  app: Type.String(),
  keyId: nullable(Type.String()),
  remote: nullable(Type.String()),
  platform: nullable(Type.String()),
  day,
  userId: Type.Union([Type.String(), Type.Null()], { description: 'Masked for viewers' }),
  route: Type.String(),
  model: Type.String(),
  scopes: Type.Optional(Type.Array(Type.String())),
} as const;

export const HoldDocument = Type.Object({
  ...head,
  state: Type.Literal('running'),
  heldUsd: usd,
  wallet: nullable(WalletParts),
  extensions: count,
  instanceId: Type.String(),
  startedAt: instant,
  expiresAt: instant,
});
export type HoldDocument = Document<typeof HoldDocument>;

/** Oldest first. */
export const HoldDocuments = Type.Array(HoldDocument);

export const HoldsPage = Type.Object({ items: HoldDocuments, after });
export type HoldsPage = Document<typeof HoldsPage>;

/** Newest first. */
export const RunningCalls = Type.Object({
  items: Type.Array(HoldDocument),
  after,
  count: Type.Integer({ minimum: 0, description: 'Number of matches on all pages' }),
});
export type RunningCalls = Document<typeof RunningCalls>;

export const AttemptDocument = Type.Object({
  startedAt: instant,
  tookMs: Type.Number(),
  outcome: Type.String(),
  status: nullable(Type.Integer()),
  requestId: nullable(Type.String()),
  model: Type.String(),
  priceVersion: nullable(Type.String()),
  usage,
  costUsd: usd,
  estimated: Type.Boolean(),
  estimateReason: nullable(Type.String()),
});
export type AttemptDocument = Document<typeof AttemptDocument>;

export const CorrectionDocument = Type.Object({
  at: instant,
  actor: Type.String(),
  action: Type.String(),
  fromUsd: nullable(usd),
  toUsd: nullable(usd),
  reason: nullable(Type.String()),
  reference: nullable(Type.String()),
});
export type CorrectionDocument = Document<typeof CorrectionDocument>;

export const CallDocument = Type.Object({
  ...head,
  state: Type.Literal('finished'),
  code: Type.String(),
  usage,
  costUsd: usd,
  estimatedUsd: usd,
  basis,
  estimateReason: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why part of the cost is an estimate; null if no part is, or if the reason was not recorded',
  }),
  heldUsd: usd,
  instanceId: nullable(Type.String()),
  wallet: nullable(WalletParts),
  price: nullable(PriceDocument),
  requestId: Type.Union([Type.String(), Type.Null()], { description: 'Id from the platform' }),
  attempts: Type.Array(AttemptDocument),
  corrections: Type.Array(CorrectionDocument),
  startedAt: instant,
  endedAt: instant,
  tookMs,
  firstMs,
});
export type CallDocument = Document<typeof CallDocument>;

export const ShownCall = Type.Union([CallDocument, HoldDocument]);

/** The lines add up to the call's cost, exactly. */
export const ReceiptLine = Type.Object({
  attempt: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Number of the attempt; null if it belongs to none',
  }),
  kind: Type.Enum([
    'input',
    'cachedInput',
    'cacheWriteInput',
    'cacheWrite1hInput',
    'output',
    'imageInput',
    'audioInput',
    'reasoning',
    'imageOutput',
    'audioOutput',
    'request',
    'toolUse',
    'estimate',
    'corrected',
    'other',
  ]),
  tokens: nullable(count),
  usdPerMillion: nullable(usd),
  count: Type.Optional(count),
  usdEach: Type.Optional(usd),
  tool: Type.Optional(Type.String()),
  usd,
});
export type ReceiptLine = Document<typeof ReceiptLine>;

/** `GET /calls/:id`; no lines while the call runs. */
export const Receipt = Type.Object({
  call: ShownCall,
  lines: Type.Array(ReceiptLine),
  totalUsd: Type.Union([usd, Type.Null()], {
    description: 'Sum of the lines; null while the call runs',
  }),
  matches: Type.Boolean({
    was: 'addsUp',
    description: 'Whether recomputed tokens × prices match the booked cost wherever it is exact',
  }),
  remarks: Type.Array(Type.String(), {
    description: 'Estimated, corrected or unknown parts, one sentence each',
  }),
  budget: nullable(
    Type.Object({
      heldUsd: nullable(usd),
      bookedUsd: usd,
      freedUsd: Type.Union([usd, Type.Null()], {
        description: 'Reserved amount that was not booked; null if more was booked than reserved',
      }),
      dayCapUsd: Type.Union([usd, Type.Null()], { description: 'Current values of its day' }),
      daySpentUsd: usd,
      dayHeldUsd: usd,
    }),
  ),
  isStored: Type.Boolean({
    ...{ was: 'isKept', description: 'Whether its response is stored for idempotent retries' },
  }),
});
export type Receipt = Document<typeof Receipt>;

export const PlannedCorrection = Type.Object({
  callId: Type.String(),
  app: Type.String(),
  day,
  usd,
  costUsd: Type.String({ description: 'Cost booked before' }),
  heldUsd: usd,
  isLarge: Type.Boolean({
    description: 'Above 10 times both the reserved amount and the current cost: requires `confirm`',
  }),
  isDone: Type.Boolean({ description: 'This reference already made the same correction' }),
});
export type PlannedCorrection = Document<typeof PlannedCorrection>;

export const CorrectedCall = Type.Object({
  ...PlannedCorrection.properties,
  call: ShownCall,
});

export const CallCorrected = changed(CorrectedCall);
export type CallCorrected = Document<typeof CallCorrected>;

export const RepriceResult = Type.Object({
  model: Type.String(),
  since: day,
  calls: Type.Integer({ description: 'Records that are rebooked at the current price' }),
  estimatedCalls: Type.Integer({ description: 'Records of these that stay partly estimated' }),
  beforeUsd: usd,
  afterUsd: usd,
});
export type RepriceResult = Document<typeof RepriceResult>;
