import { scopeOfName } from '../../operations/budgets/budget-document.ts';
import { removeBudget, setBudget, showBudget } from '../../operations/budgets/budgets.ts';
import {
  planReopenBudget,
  reopenBudget,
  reopeningLine,
} from '../../operations/budgets/reopen-budgets.ts';
import {
  BudgetAsked,
  BudgetChanged,
  BudgetRemoval,
  BudgetReopening,
} from '../../operations/documents.ts';
import { type AnyRoute, route } from '../route.ts';
import { answerChange, invalid, ofField, picoUsdOf, requireConfirmed } from './change.ts';

/** What sets and ends budgets beside the apps' own days. */
export const budgetChanges: readonly AnyRoute[] = [
  route({
    method: 'PUT',
    path: '/admin/v1/budgets/:scope',
    action: 'operate',
    apps: 'all',
    summary: 'Makes a budget that apps share, or changes what is named of it',
    body: BudgetAsked,
    answer: BudgetChanged,
    async handle({ body, parameters: { scope }, config, ...asked }) {
      const { apps, mode, visible } = body;
      const settings = {
        ...{ apps, mode, isVisible: visible },
        dailyPicoUsd: capOf('dailyUsd', body.dailyUsd),
        monthlyPicoUsd: capOf('monthlyUsd', body.monthlyUsd),
      };
      if (Object.values(settings).every((value) => value === undefined)) {
        throw invalid('apps', 'name something to set: apps, dailyUsd, monthlyUsd, mode or visible');
      }
      const answer = await answerChange(asked, body, {
        make: (admin) => ofField('scope', setBudget(admin, scope, settings, config.budgets)),
      });
      return { body: answer };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/budgets/:scope/reopen',
    action: 'money',
    apps: 'all',
    summary: 'Opens a budget that a restored store has closed',
    body: BudgetReopening,
    answer: BudgetChanged,
    async handle({ body, parameters: { scope }, ...asked }) {
      if (body.dryRun !== true) requireConfirmed(body.confirm, scope);
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const result = await planReopenBudget(admin, scope);
          return { changes: [reopeningLine(scopeOfName(scope))], result };
        },
        make: (admin) => reopenBudget(admin, scope),
      });
      return { body: answer };
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/v1/budgets/:scope',
    action: 'operate',
    apps: 'all',
    summary: 'Ends a budget: calls are not held to it any more',
    body: BudgetRemoval,
    answer: BudgetChanged,
    async handle({ body, parameters: { scope }, ...asked }) {
      const shown = await showBudget(asked.admin, scope);
      if (body.dryRun !== true) requireConfirmed(body.confirm, scope);
      const answer = await answerChange(asked, body, {
        async make(admin) {
          await removeBudget(admin, scope);
          return shown;
        },
      });
      return { body: { ...answer, result: shown } };
    },
  }),
];

function capOf(field: string, usd: string | null | undefined): bigint | null | undefined {
  return typeof usd === 'string' ? picoUsdOf(field, usd) : usd;
}
