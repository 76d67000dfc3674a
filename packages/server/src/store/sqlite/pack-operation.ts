import type { Operation, Reserve, Settle } from '../../books/operations.ts';
import type { CallFacts } from '../../books/rows.ts';

/**
 * An operation on its way to the store's thread. A copy of an object carries all its names, so the
 * two operations of every call travel as lists of values; the rare ones go as they are, and so does
 * a settlement by an operator, which has a line for the audit log.
 */
export type PackedOperation = PackedReserve | PackedSettle | Exclude<Operation, Reserve>;

type PackedFacts = readonly [
  callId: string,
  app: string,
  day: string,
  month: string | undefined,
  userId: string | undefined,
  route: string,
  model: string,
  usageModel: string,
  priceVersion: string | undefined,
  keyHash: string | undefined,
  startedAt: number,
];

type PackedReserve = readonly [
  kind: 'reserve',
  facts: PackedFacts,
  amount: bigint,
  owner: string,
  expiresAt: number,
  now: number,
  wallet: Reserve['wallet'],
  idempotency: Reserve['idempotency'],
];

type PackedSettle = readonly [
  kind: 'settle',
  facts: PackedFacts,
  code: string,
  inputTokens: number,
  cachedInputTokens: number,
  cacheWriteInputTokens: number,
  outputTokens: number,
  reasoningTokens: number,
  cost: bigint,
  estimated: bigint,
  basis: Settle['end']['basis'],
  attempts: string,
  upstreamId: string | undefined,
  endedAt: number,
  walletCost: bigint,
  outcome: Settle['outcome'],
  answer: Settle['answer'],
  answerExpiresAt: number,
];

/** Takes an operation apart. */
export function packOperation(operation: Operation): PackedOperation {
  switch (operation.kind) {
    case 'reserve':
      return packReserve(operation);
    case 'settle':
      return operation.line === undefined ? packSettle(operation) : operation;
    default:
      return operation;
  }
}

/** Puts an operation together again. */
export function unpackOperation(packed: PackedOperation): Operation {
  if ('kind' in packed) return packed;
  return packed[0] === 'reserve' ? unpackReserve(packed) : unpackSettle(packed);
}

function packReserve(operation: Reserve): PackedReserve {
  const { kind, facts, amount, wallet, idempotency, owner, expiresAt, now } = operation;
  return [kind, packFacts(facts), amount, owner, expiresAt, now, wallet, idempotency];
}

function unpackReserve(packed: PackedReserve): Reserve {
  const [kind, facts, amount, owner, expiresAt, now, wallet, idempotency] = packed;
  return { kind, facts: unpackFacts(facts), amount, wallet, idempotency, owner, expiresAt, now };
}

function packSettle(operation: Settle): PackedSettle {
  const { kind, facts, end, walletCost, outcome, answer, answerExpiresAt } = operation;
  const { tokens } = end;
  return [
    kind,
    packFacts(facts),
    end.code,
    tokens.inputTokens,
    tokens.cachedInputTokens,
    tokens.cacheWriteInputTokens,
    tokens.outputTokens,
    tokens.reasoningTokens,
    end.cost,
    end.estimated,
    end.basis,
    end.attempts,
    end.upstreamId,
    end.endedAt,
    walletCost,
    outcome,
    answer,
    answerExpiresAt,
  ];
}

function unpackSettle(packed: PackedSettle): Settle {
  return {
    kind: packed[0],
    facts: unpackFacts(packed[1]),
    end: {
      code: packed[2],
      tokens: {
        inputTokens: packed[3],
        cachedInputTokens: packed[4],
        cacheWriteInputTokens: packed[5],
        outputTokens: packed[6],
        reasoningTokens: packed[7],
      },
      cost: packed[8],
      estimated: packed[9],
      basis: packed[10],
      attempts: packed[11],
      upstreamId: packed[12],
      endedAt: packed[13],
    },
    walletCost: packed[14],
    outcome: packed[15],
    answer: packed[16],
    answerExpiresAt: packed[17],
  };
}

function packFacts(facts: CallFacts): PackedFacts {
  return [
    facts.callId,
    facts.app,
    facts.day,
    facts.month,
    facts.userId,
    facts.route,
    facts.model,
    facts.usageModel,
    facts.priceVersion,
    facts.keyHash,
    facts.startedAt,
  ];
}

function unpackFacts(packed: PackedFacts): CallFacts {
  return {
    callId: packed[0],
    app: packed[1],
    day: packed[2],
    month: packed[3],
    userId: packed[4],
    route: packed[5],
    model: packed[6],
    usageModel: packed[7],
    priceVersion: packed[8],
    keyHash: packed[9],
    startedAt: packed[10],
  };
}
