import type { JsonObject } from '@model-gateway/contract';
import type { AlertType } from '../../domain/notify.ts';

export function titleOf({ type, subject, data }: Alert): string {
  return words[type].title(readerOf(data), subject);
}

/** A line for each user of a digest. */
export function sentencesOf({ type, subject, data }: Alert): string {
  return words[type].sentences(readerOf(data), subject, data);
}

/** Empty for a missing field. */
type Reader = (field: string) => string;

interface Words {
  readonly title: (say: Reader, subject: string) => string;
  readonly sentences: (say: Reader, subject: string, data: JsonObject) => string;
}

function readerOf(data: JsonObject): Reader {
  return (field) => {
    const value = data[field];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
}

const words: Readonly<Record<AlertType, Words>> = {
  'budget.threshold': {
    title: (say) => `${say('percent')} % of ${budgetOf(say)} is used`,
    sentences: (say) =>
      `${say('usedPercent')} % of ${capOf(say)} is used: ${useOf(say)}. ${resetsOf(say)}${shadowOf(say)}`,
  },
  'budget.refused': {
    title: (say) => `${capital(budgetOf(say))} rejected a call`,
    sentences: (say) =>
      `A call with a maximum cost of $${say('neededUsd')} did not fit ${capOf(say)}: ${useOf(say)}. Other calls that do not fit are also rejected. ${resetsOf(say)}`,
  },
  'budget.forecast': {
    title: (say) => `${capital(budgetOf(say))} is forecast to run out`,
    sentences: (say) =>
      `$${say('spentUsd')} of ${capOf(say)} is spent. At the current rate, the budget runs out at ${say('usedUpAt')}. ${resetsOf(say)}${shadowOf(say)}`,
  },
  'budget.closed': {
    title: () => 'Budgets were closed because the store was restored',
    sentences: (_read, _subject, { restoredAt, count, budgets }) =>
      `The store was restored at ${restoredAt} and might lack calls that were billed. Closed budgets (${count}): ${budgets}. To open every budget: \`days reopen --all\`; one: \`budgets reopen NAME\`; the wallets: \`wallets reopen --all\`.`,
  },
  'budget.overrun': {
    title: (say) => `App ${say('app')} spent more than reserved`,
    sentences: (say) =>
      `On ${say('day')}, calls of app ${say('app')} cost $${say('overrunUsd')} more than reserved, of $${say('spentUsd')} spent. A platform billed more than the maximum cost of its calls.`,
  },
  'wallet.low': {
    title: (say) => `Users of app ${say('app')} have little credit left`,
    sentences: (say, _subject, data) => walletLines(say, data),
  },
  'platform.circuit_opened': {
    title: (say) => `Model ${say('model')} on ${say('platform')} keeps failing`,
    sentences: (say) =>
      `Since ${say('since')}, calls to model ${say('model')} are rejected or sent to the next model of their alias. One probe call is made every 5 s.`,
  },
  'platform.circuit_closed': {
    title: (say) => `Model ${say('model')} on ${say('platform')} recovered`,
    sentences: (say) =>
      `All replicas accept calls to model ${say('model')} again. It had been failing since ${say('since')}.`,
  },
  'platform.account': {
    title: (say) => `Platform ${say('platform')} rejects the gateway's account`,
    sentences: (say) =>
      `On ${say('day')}, calls to platform ${say('platform')} failed because of the gateway's own account (${say('reason')}). ${say('reason') === 'credit' || say('reason') === 'quota' ? 'Add credit or raise its spending limit.' : 'Check the key and its rights.'} Run \`platforms check\` for its state.`,
  },
  'key.expiring': {
    title: (say) => `An API key of app ${say('app')} is about to expire`,
    sentences: (say) =>
      `API key ${say('key')} of app ${say('app')} expires at ${say('expiresAt')}. Rotate it or issue a new one.`,
  },
  'price.unknown': {
    title: (say) => `Model ${say('model')} has no price`,
    sentences: (say) =>
      `On ${say('day')}, calls of app ${say('app')} to model ${say('model')} had no price (so far ${say('calls')}). Add a price, then run \`calls reprice\`.`,
  },
  'price.mismatch': {
    title: (say) => `Platform ${say('platform')} reported usage that has no configured price`,
    sentences: (say) =>
      `On ${say('day')}, responses of platform ${say('platform')} had ${say('field')} (${say('reason')}), which the price of their model does not cover. Their costs are estimates. Compare them with the invoice, and correct the price or the calls.`,
  },
  'estimates.grow': {
    title: (say) => `${say('percent')} % of the spending of app ${say('app')} is estimated`,
    sentences: (say) =>
      `On ${say('day')}, app ${say('app')} spent $${say('spentUsd')}, of which $${say('estimatedUsd')} is estimated (${say('percent')} %). Responses were cut off or had no token counts.`,
  },
  'invoice.drift': {
    title: (say) => `The invoice of ${say('platform')} differs from the ledger`,
    sentences: (say) =>
      `${say('platform')} bills $${say('invoiceUsd')} for ${say('app')} on ${say('day')}; the ledger has $${say('bookedUsd')} (difference $${say('differenceUsd')}). Details by model: \`reconcile show --day ${say('day')}\`.`,
  },
  'audit.breach': {
    title: () => 'The ledger audit found broken rules',
    sentences: (say) =>
      `The audit of ${say('day')} found broken rules: ${say('rules')}. Keep a copy of the store. Run \`audit\` for details.`,
  },
  test: {
    title: () => 'Model Gateway test',
    sentences: (_say, subject) => `Webhook ${subject} works. Alerts will appear here.`,
  },
};

const spans: Readonly<Record<string, string>> = { day: 'daily', month: 'monthly' };

function budgetOf(say: Reader): string {
  return `the ${spans[say('span')] ?? ''} budget of ${say('owner')}`;
}

function capOf(say: Reader): string {
  return `the ${spans[say('span')] ?? ''} budget of $${say('capUsd')} (${say('period')}) of ${say('owner')}`;
}

function useOf(say: Reader): string {
  return `$${say('spentUsd')} spent and $${say('heldUsd')} reserved for running calls`;
}

function resetsOf(say: Reader): string {
  return `The budget resets at ${say('resetsAt')}.`;
}

function shadowOf(say: Reader): string {
  return say('mode') === 'shadow' ? ' Shadow mode: no calls are rejected.' : '';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For a chat; the `standard` format has all users. */
const linesMax = 20;

function walletLines(say: Reader, { users }: JsonObject): string {
  const rows = Array.isArray(users) ? users : [];
  const lines = rows.slice(0, linesMax).flatMap((row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return [];
    const sayUser = readerOf(row);
    return [`${sayUser('user')}: $${sayUser('leftUsd')} of $${sayUser('grantedUsd')}`];
  });
  const others = rows.length - lines.length;
  const more = others > 0 ? [`and ${others} others`] : [];
  const head = `At most 10 % of the credits for ${say('month')} is left:`;
  const reset = `Wallets reset at ${say('resetsAt')}.`;
  return [head, ...lines, ...more, reset].join('\n');
}

export interface Alert {
  /** The same for each hook, and on each retry. */
  readonly id: string;
  readonly type: AlertType;
  readonly subject: string;
  readonly period: string;
  readonly mark: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: JsonObject;
}
