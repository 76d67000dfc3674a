import { apiErrors, type Operation } from '@model-gateway/contract';
import { expect } from 'vitest';
import { formatUsd } from '../../../src/lib/money.ts';
import type { Store } from '../../../src/store/port/port.ts';
import * as tables from '../../../src/store/schema/tables.ts';
import { errorWords } from '../../compatible/support/error-words.ts';
import { readAttempts } from '../../support/books.ts';
import type { Exchange } from '../../support/exchange.ts';
import { expectNoPlatformText } from '../../support/expect-answer.ts';
import type { Expected } from './expected.ts';
import { type MatrixRequest, maxTokens, promptText } from './requests.ts';
import { answers, secretWords } from './surfaces.ts';

const inputPicoUsd = 150_000n;
const outputPicoUsd = 600_000n;

/** Checks the client's response. */
export function expectAnswer(exchange: Exchange, expected: Expected, model: string) {
  const { code, retryAfter = null } = expected;
  expectNoPlatformText(exchange);
  expect(exchange.headers.get('retry-after')).toBe(retryAfter);
  if (code === 'OK') {
    expect({ status: exchange.status, error: exchange.error?.code }).toEqual({ status: 200 });
    return;
  }
  expect(exchange.body).toMatchObject({ error: { code, model } });
  expect(exchange.error).toMatchObject({ code, status: apiErrors[code].status });
  if (code === 'TIMEOUT') expect(exchange.error?.requestId).toBe(expected.requestId);
}

/** Checks the response of an OpenAI client. */
export function expectOpenAiAnswer(met: Exchange, { code, retryAfter }: Expected) {
  expect(met.text).not.toContain(secretWords);
  expect(met.headers.get('retry-after')).toBe(retryAfter ?? null);
  expect(met.headers.get('x-error-code') ?? 'OK').toBe(code);
  if (code === 'OK') {
    expect(met.body).toMatchObject({ object: 'list', data: [{ embedding: [0.5, -0.25] }] });
    return;
  }
  const [status, type, known] = errorWords[code].openai;
  const reason = met.headers.get('x-error-reason');
  const own = reason === 'context_length' ? 'context_length_exceeded' : known;
  expect([met.status, met.body]).toMatchObject([status, { error: { type, code: own } }]);
}

/**
 * Checks a user's one call: its attempts, the costs of budget and wallet, and that nothing is
 * reserved.
 */
export async function expectBooked(
  store: Store,
  userId: string,
  expected: Expected,
  request: MatrixRequest,
  operation: Operation,
) {
  const most = maximumCostPicoUsd(request, operation);
  const record = await callOf(store, userId);
  const attempts = await readAttempts(store, record);
  const estimated = expected.stated ?? most * BigInt(expected.estimates);
  expect({
    code: record?.code,
    basis: record?.basis,
    attempts: attempts.map(({ outcome }) => outcome),
    costUsd: formatUsd(record?.cost ?? -1n),
    estimatedUsd: formatUsd(record?.estimated ?? -1n),
    walletUsd: formatUsd((record?.walletGrant ?? 0n) + (record?.walletTopup ?? 0n)),
    openHolds: await holdsOf(store, userId),
  }).toEqual({
    ...{ code: expected.code, basis: expected.basis, attempts: expected.attempts },
    costUsd: formatUsd(estimated + expected.exact),
    estimatedUsd: formatUsd(estimated),
    walletUsd: formatUsd(walletOf(expected, request, operation)),
    openHolds: 0,
  });
}

/** Computed without the service. Source: ledger, section 3. */
function maximumCostPicoUsd(
  { body, schemaText, hasTools }: MatrixRequest,
  operation: Operation,
): bigint {
  const outputTokens = operation === 'embeddings' ? 0 : maxTokens;
  const bytes = Buffer.byteLength(JSON.stringify(body)) + Buffer.byteLength(schemaText);
  const inputTokens = bytes + 1_024 + (hasTools ? 512 : 0);
  return BigInt(inputTokens) * inputPicoUsd + BigInt(outputTokens) * outputPicoUsd;
}

function walletOf({ wallet, exact }: Expected, request: MatrixRequest, operation: Operation) {
  if (wallet === 'nothing') return 0n;
  if (wallet === 'exact') return exact;
  if (wallet === 'hold') return maximumCostPicoUsd(request, operation);
  const { text = '', toolCalls = [] } = answers[operation];
  const written = text + toolCalls.map((call) => call.name + call.arguments).join('');
  const tokens = (what: string) => BigInt(Math.ceil(Buffer.byteLength(what) / 3));
  return tokens(promptText + request.schemaText) * inputPicoUsd + tokens(written) * outputPicoUsd;
}

async function callOf(store: Store, userId: string) {
  const calls = await store.read({
    sql: 'select * from call where user_id = $1',
    values: [userId],
    map: (rows) => rows.map(tables.calls.read),
  });
  expect(calls).toHaveLength(1);
  return calls[0];
}

function holdsOf(store: Store, userId: string): Promise<number> {
  return store.read({
    sql: 'select call_id from hold where user_id = $1',
    values: [userId],
    map: (rows) => rows.length,
  });
}
