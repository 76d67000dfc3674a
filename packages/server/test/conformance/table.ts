import { expect, test } from 'vitest';
import type { Operation } from '../../src/books/operations.ts';
import type { BudgetDay } from '../../src/books/rows.ts';
import type { ScopeMode } from '../../src/books/scope.ts';
import type { OperationResult } from '../../src/store/port/port.ts';
import { expectInvariants } from './invariants.ts';
import type { LedgerRows } from './ledger-rows.ts';
import { noonMs } from './operations.ts';
import type { ScopeChange, Subject } from './subject.ts';

/** A promise of the ledger: operations in order, their results, and the rows afterwards. */
export interface Row {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The rows afterwards. Rows without a name here are not checked. */
  readonly leaves?: Left;
}

/** Parts of the rows that a store must have afterwards. */
export type Left = {
  readonly [Table in keyof LedgerRows]?: readonly Partial<LedgerRows[Table][number]>[];
};

export type Step =
  | { readonly kind: 'batch'; readonly asked: readonly Asked[] }
  | { readonly kind: 'cap'; readonly app: string; readonly cap: bigint | undefined }
  | ({ readonly kind: 'scope' } & ScopeChange)
  | { readonly kind: 'seen'; readonly instanceId: string; readonly at: number };

/** An operation and its expected result, in a word. */
export type Asked = readonly [Operation, string];

/** One batch: its operations are one transaction. */
export function batch(...asked: readonly Asked[]): Step {
  return { kind: 'batch', asked };
}

/** An operator's change of an app's daily budget. */
export function cap(app: string, amount: bigint | undefined): Step {
  return { kind: 'cap', app, cap: amount };
}

/** An operator's change of another budget. */
export function scopeCap(scope: string, amount: bigint, mode: ScopeMode = 'enforce'): Step {
  return { kind: 'scope', scope, cap: amount, mode };
}

/** A heartbeat of a process. */
export function seen(instanceId: string, at = noonMs): Step {
  return { kind: 'seen', instanceId, at };
}

/** A test for each row, on a ledger that `open` has just emptied. */
export function testRows(rows: readonly Row[], open: () => Promise<Subject>) {
  for (const { name, steps, leaves = {} } of rows) {
    test(name, async () => {
      const subject = await open();
      for (const step of steps) await take(subject, step);
      const left = await subject.rows();
      expect(left).toMatchObject(leaves);
      expectInvariants(left);
      expect(await subject.breaches()).toEqual([]);
    });
  }
}

async function take(subject: Subject, step: Step) {
  if (step.kind === 'seen') return subject.seen(step.instanceId, step.at);
  if (step.kind === 'scope') return subject.setScope(step);
  if (step.kind === 'cap') {
    return subject.setCap({ app: step.app, cap: step.cap, today: '2026-11-21' });
  }
  const results = await subject.commit(step.asked.map(([operation]) => operation));
  expect(results.map(wordOf)).toEqual(step.asked.map(([, word]) => word));
}

/** The result of an operation, in a word. */
export function wordOf(result: OperationResult): string {
  if (!result.ok) return result.kind;
  const { outcome } = result;
  switch (outcome.kind) {
    case 'refused':
      return outcome.code;
    case 'attach':
    case 'dead':
    case 'replay':
    case 'unstored':
      return `${outcome.kind} ${outcome.callId}`;
    case 'settled': {
      const words = [outcome.isOrphan ? 'orphan' : 'settled'];
      if (outcome.badOutputs > 0) words.push(`bad ${outcome.badOutputs}`);
      if (outcome.takenOverBy !== undefined) words.push(`taken by ${outcome.takenOverBy}`);
      return words.join(', ');
    }
    case 'corrected':
      return `corrected from ${outcome.before}`;
    case 'not-enough':
      return `only ${outcome.available}`;
    case 'too-much':
      return `room for ${outcome.remaining}`;
    default:
      return outcome.kind;
  }
}

/** A day's amounts, 0 by default. */
export function day(amounts: Partial<BudgetDay>): Partial<BudgetDay> {
  return { spent: 0n, held: 0n, estimated: 0n, overrun: 0n, ...amounts };
}
