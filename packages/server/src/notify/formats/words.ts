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
      `Of ${capOf(say)} ${say('usedPercent')} % is used: ${useOf(say)}. ${resetsOf(say)}${shadowOf(say)}`,
  },
  'budget.refused': {
    title: (say) => `${capital(budgetOf(say))} has refused a call`,
    sentences: (say) =>
      `A call that needed up to $${say('neededUsd')} had no room in ${capOf(say)}: ${useOf(say)}. Further calls that do not fit are refused as well. ${resetsOf(say)}`,
  },
  'budget.forecast': {
    title: (say) => `${capital(budgetOf(say))} will not last`,
    sentences: (say) =>
      `Of ${capOf(say)} $${say('spentUsd')} is spent; if it goes on so, it is used up at ${say('usedUpAt')}. ${resetsOf(say)}${shadowOf(say)}`,
  },
  'budget.closed': {
    title: () => 'A restored store has closed budgets',
    sentences: (_read, _subject, { restoredAt, count, budgets }) =>
      `The store was restored at ${restoredAt} and might lack calls that were billed, so ${count} budgets are closed: ${budgets}. \`days reopen --all\` opens every budget, \`budgets reopen NAME\` one, \`wallets reopen --all\` the wallets.`,
  },
  'budget.overrun': {
    title: (say) => `The app ${say('app')} spent more than was held`,
    sentences: (say) =>
      `On ${say('day')} calls of the app ${say('app')} have cost $${say('overrunUsd')} more than was held for them, of $${say('spentUsd')} spent: a platform has billed more than it was asked for.`,
  },
  'wallet.low': {
    title: (say) => `Users of the app ${say('app')} have little credit left`,
    sentences: (say, _subject, data) => walletLines(say, data),
  },
  'platform.circuit_opened': {
    title: (say) => `The model ${say('model')} of ${say('platform')} keeps failing`,
    sentences: (say) =>
      `Since ${say('since')} calls of the model ${say('model')} are refused, or go to the next model of their alias; every 5 s one call finds out whether it works again.`,
  },
  'platform.circuit_closed': {
    title: (say) => `The model ${say('model')} of ${say('platform')} is called again`,
    sentences: (say) =>
      `No replica refuses calls of the model ${say('model')} any more; it had failed since ${say('since')}.`,
  },
  'platform.account': {
    title: (say) => `The platform ${say('platform')} rejects its account`,
    sentences: (say) =>
      `On ${say('day')} calls of the platform ${say('platform')} failed for the gateway's own account (${say('reason')}). ${say('reason') === 'credit' || say('reason') === 'quota' ? 'Add credit, or raise its spending limit.' : 'Check the key and its rights.'} \`platforms check\` shows its state.`,
  },
  'key.expiring': {
    title: (say) => `An API key of the app ${say('app')} is about to expire`,
    sentences: (say) =>
      `The API key ${say('key')} of the app ${say('app')} is unknown from ${say('expiresAt')} on. Rotate it, or issue another.`,
  },
  'price.unknown': {
    title: (say) => `The model ${say('model')} has no price`,
    sentences: (say) =>
      `On ${say('day')} calls of the app ${say('app')} to the model ${say('model')} could not be priced: so far ${say('calls')}. Price the model, then have the calls priced with \`calls reprice\`.`,
  },
  'price.mismatch': {
    title: (say) => `The platform ${say('platform')} reports another price`,
    sentences: (say) =>
      `On ${say('day')} responses of the platform ${say('platform')} had ${say('field')} (${say('reason')}), which the price of their model does not have. Their costs are estimates. Compare them with the invoice, and correct the price or the calls.`,
  },
  'estimates.grow': {
    title: (say) => `Much of what the app ${say('app')} spent is estimated`,
    sentences: (say) =>
      `On ${say('day')} the app ${say('app')} has spent $${say('spentUsd')}, of which $${say('estimatedUsd')} is estimated (${say('percent')} %): answers were cut off, or came without counts.`,
  },
  'invoice.drift': {
    title: (say) => `The invoice of ${say('platform')} is not what was booked`,
    sentences: (say) =>
      `For ${say('app')} on ${say('day')} ${say('platform')} bills $${say('invoiceUsd')}, and $${say('bookedUsd')} is booked: a difference of $${say('differenceUsd')}. \`reconcile show --day ${say('day')}\` shows it by model.`,
  },
  'audit.breach': {
    title: () => 'The books break their own rules',
    sentences: (say) =>
      `The audit of ${say('day')} found what must not be: ${say('rules')}. Keep a copy of the store; \`audit\` says what each rule is.`,
  },
  test: {
    title: () => 'A test of Model Gateway',
    sentences: (_say, subject) => `The hook ${subject} works: what it is told of comes here.`,
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
  return `$${say('spentUsd')} spent and $${say('heldUsd')} held for running calls`;
}

function resetsOf(say: Reader): string {
  return `It begins anew at ${say('resetsAt')}.`;
}

function shadowOf(say: Reader): string {
  return say('mode') === 'shadow' ? ' It refuses nothing: its mode is shadow.' : '';
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
  const head = `At most a tenth is left in ${say('month')}:`;
  const reset = `Wallets begin anew at ${say('resetsAt')}.`;
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
