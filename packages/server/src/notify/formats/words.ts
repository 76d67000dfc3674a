import type { JsonObject } from '@model-gateway/contract';
import type { AlertType } from '../../domain/notify.ts';

export function titleOf({ type, subject, data }: Alert): string {
  return words[type].title(readerOf(data), subject);
}

/** One line for each user of a digest. */
export function sentencesOf({ type, subject, data }: Alert): string {
  return words[type].sentences(readerOf(data), subject, data);
}

/** Returns an empty text for a missing field. */
type Reader = (field: string) => string;

interface Words {
  readonly title: (field: Reader, subject: string) => string;
  readonly sentences: (field: Reader, subject: string, data: JsonObject) => string;
}

function readerOf(data: JsonObject): Reader {
  return (field) => {
    const value = data[field];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
}

const words: Readonly<Record<AlertType, Words>> = {
  'budget.threshold': {
    title: (field) => `${field('percent')} % of ${budgetOf(field)} is used`,
    sentences: (field) =>
      `${field('usedPercent')} % of ${capOf(field)} is used: ${useOf(field)}. ${resetsOf(field)}${shadowOf(field)}`,
  },
  'budget.refused': {
    title: (field) => `${capital(budgetOf(field))} rejected a call`,
    sentences: (field) =>
      `A call with a maximum cost of $${field('neededUsd')} did not fit ${capOf(field)}: ${useOf(field)}. Other calls that do not fit are also rejected. ${resetsOf(field)}`,
  },
  'budget.forecast': {
    title: (field) => `${capital(budgetOf(field))} is forecast to run out`,
    sentences: (field) =>
      `$${field('spentUsd')} of ${capOf(field)} is spent. At the current rate, the budget runs out at ${field('usedUpAt')}. ${resetsOf(field)}${shadowOf(field)}`,
  },
  'budget.closed': {
    title: () => 'Budgets were closed because the store was restored',
    sentences: (_read, _subject, { restoredAt, count, budgets }) =>
      `The store was restored at ${restoredAt} and might lack calls that were billed. Closed budgets (${count}): ${budgets}. To open every budget: \`days reopen --all\`; one: \`budgets reopen NAME\`; the wallets: \`wallets reopen --all\`.`,
  },
  'budget.overrun': {
    title: (field) => `App ${field('app')} spent more than reserved`,
    sentences: (field) =>
      `On ${field('day')}, calls of app ${field('app')} cost $${field('overrunUsd')} more than reserved, of $${field('spentUsd')} spent. A platform billed more than the maximum cost of its calls.`,
  },
  'wallet.low': {
    title: (field) => `Users of app ${field('app')} have little credit left`,
    sentences: (field, _subject, data) => walletLines(field, data),
  },
  'platform.circuit_opened': {
    title: (field) => `Model ${field('model')} on ${field('platform')} keeps failing`,
    sentences: (field) =>
      `Since ${field('since')}, calls to model ${field('model')} are rejected or sent to the next model of their alias. One probe call is made every 5 s.`,
  },
  'platform.circuit_closed': {
    title: (field) => `Model ${field('model')} on ${field('platform')} recovered`,
    sentences: (field) =>
      `All replicas accept calls to model ${field('model')} again. It had been failing since ${field('since')}.`,
  },
  'platform.account': {
    title: (field) => `Platform ${field('platform')} rejects the gateway's account`,
    sentences: (field) =>
      `On ${field('day')}, calls to platform ${field('platform')} failed because of the gateway's own account (${field('reason')}). ${field('reason') === 'credit' || field('reason') === 'quota' ? 'Add credit or raise its spending limit.' : 'Check the key and its rights.'} Run \`platforms check\` for its state.`,
  },
  'key.expiring': {
    title: (field) => `An API key of app ${field('app')} is about to expire`,
    sentences: (field) =>
      `API key ${field('key')} of app ${field('app')} expires at ${field('expiresAt')}. Rotate it or issue a new one.`,
  },
  'price.unknown': {
    title: (field) => `Model ${field('model')} has no price`,
    sentences: (field) =>
      `On ${field('day')}, calls of app ${field('app')} to model ${field('model')} had no price (so far ${field('calls')}). Add a price, then run \`calls reprice\`.`,
  },
  'price.mismatch': {
    title: (field) => `Platform ${field('platform')} reported usage that has no configured price`,
    sentences: (field) =>
      `On ${field('day')}, platform ${field('platform')} reported ${field('field')} (${field('reason')}) in its responses, which the price of the model does not cover. The costs of these calls are estimates. Compare the costs with the invoice, and correct the price or the costs.`,
  },
  'estimates.grow': {
    title: (field) => `${field('percent')} % of the spending of app ${field('app')} is estimated`,
    sentences: (field) =>
      `On ${field('day')}, app ${field('app')} spent $${field('spentUsd')}, of which $${field('estimatedUsd')} is estimated (${field('percent')} %). Responses were cut off or had no token counts.`,
  },
  'invoice.drift': {
    title: (field) => `The invoice of ${field('platform')} differs from the ledger`,
    sentences: (field) =>
      `${field('platform')} bills $${field('invoiceUsd')} for ${field('app')} on ${field('day')}; the ledger has $${field('bookedUsd')} (difference $${field('differenceUsd')}). Details by model: \`reconcile show --day ${field('day')}\`.`,
  },
  'audit.breach': {
    title: () => 'The ledger audit found broken rules',
    sentences: (field) =>
      `The audit of ${field('day')} found broken rules: ${field('rules')}. Keep a copy of the store. Run \`audit\` for details.`,
  },
  test: {
    title: () => 'Model Gateway test',
    sentences: (_field, subject) => `Webhook ${subject} works. Alerts will appear here.`,
  },
};

const spans: Readonly<Record<string, string>> = { day: 'daily', month: 'monthly' };

function budgetOf(field: Reader): string {
  return `the ${spans[field('span')] ?? ''} budget of ${field('owner')}`;
}

function capOf(field: Reader): string {
  return `the ${spans[field('span')] ?? ''} budget of $${field('capUsd')} (${field('period')}) of ${field('owner')}`;
}

function useOf(field: Reader): string {
  return `$${field('spentUsd')} spent and $${field('heldUsd')} reserved for running calls`;
}

function resetsOf(field: Reader): string {
  return `The budget resets at ${field('resetsAt')}.`;
}

function shadowOf(field: Reader): string {
  return field('mode') === 'shadow' ? ' Shadow mode: no calls are rejected.' : '';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The chat formats show this many users; the `standard` format has all. */
const linesMax = 20;

function walletLines(field: Reader, { users }: JsonObject): string {
  const rows = Array.isArray(users) ? users : [];
  const lines = rows.slice(0, linesMax).flatMap((row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return [];
    const userField = readerOf(row);
    return [`${userField('user')}: $${userField('leftUsd')} of $${userField('grantedUsd')}`];
  });
  const others = rows.length - lines.length;
  const more = others > 0 ? [`and ${others} more`] : [];
  const head = `These users have at most 10 % of their credits for ${field('month')} left:`;
  const reset = `Wallets reset at ${field('resetsAt')}.`;
  return [head, ...lines, ...more, reset].join('\n');
}

export interface Alert {
  /** The same for each webhook and each retry. */
  readonly id: string;
  readonly type: AlertType;
  readonly subject: string;
  readonly period: string;
  readonly mark: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: JsonObject;
}
