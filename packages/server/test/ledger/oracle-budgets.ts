import type { Outcome, Reserve } from '../../src/books/operations.ts';
import { budgetOf, most, type OracleBooks } from './oracle-books.ts';

/** Why budgets have no room for a call; undefined where all have. */
export function budgetRefusal(books: OracleBooks, { facts, amount }: Reserve): Outcome | undefined {
  const { cap, spent, held } = budgetOf(books, facts.app, facts.day);
  const figures = { spent, held, needed: amount };
  if (cap === undefined) {
    if (spent + held + amount <= most) return undefined;
    return { kind: 'refused', code: 'INVALID', ...figures };
  }
  const isFree = facts.priceVersion === undefined;
  if (isFree ? spent + held < cap : spent + held + amount <= cap) return undefined;
  const room = spent + held < cap ? cap - spent - held : 0n;
  const which = { scope: undefined, room, refusing: [] };
  return { kind: 'refused', code: 'BUDGET_EXCEEDED', cap, ...figures, ...which };
}
