import { exactUsd, textOf } from './money.ts';

/** The verb of each action, before its subject. */
const deeds: Readonly<Record<string, string>> = {
  'app.cap-today': "Changed today's budget of",
  'app.create': 'Created app',
  'app.update': 'Changed app',
  'budget.remove': 'Removed budget',
  'budget.set': 'Set budget',
  'call.correct': 'Corrected the cost of call',
  'call.reprice': 'Repriced call',
  'call.settle': 'Settled call',
  'console.link': 'Created a login link for',
  'console.login': 'Logged in, session',
  'console.logout': 'Ended session',
  'day.prune': 'Removed old',
  'day.reopen': 'Reopened day',
  'invoice.import': 'Imported invoice',
  'invoice.settle': 'Settled invoice',
  'key.disable': 'Disabled key',
  'key.enable': 'Enabled key',
  'key.expire': 'Set the expiry of key',
  'key.issue': 'Issued key',
  'key.rotate': 'Rotated key',
  'ledger.audit': 'Audited the',
  'model.reprice': 'Repriced model',
  'price.set': 'Set the price of',
  'project.bind': 'Bound the project of',
  'project.create': 'Created the project of',
  'project.forget': 'Unbound the project of',
  'rollups.rebuild': 'Rebuilt',
  'run.end': 'Ended run',
  'store.restored': 'Restored',
  'token.disable': 'Disabled token',
  'token.issue': 'Issued token',
  'user.erase': 'Erased user',
  'wallet.debit': 'Debited wallet',
  'wallet.top-up': 'Topped up wallet',
};

export const actions = Object.keys(deeds);

/** `Changed app`; an unknown action keeps its own words. */
export function deedOf(action: string): string {
  return deeds[action] ?? `${action.replace(/[.-]/g, ' ')}:`;
}

/** Without its subject, as an option. */
export function actionText(action: string): string {
  return deedOf(action).replace(/,? (?:of|for|session|the)$|:$/, '');
}

export interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Sides {
  readonly action: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** One change per differing setting; names and amounts in the page's format. */
export function changesOf({ action, before, after }: Sides): readonly Change[] {
  const [was, is] = [settingsIn(action, before), settingsIn(action, after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [from, to] = [was.get(name) ?? null, is.get(name) ?? null];
    return from === to ? [] : [{ name, before: from, after: to }];
  });
}

/** A text that is not a document is one setting without a name. */
function settingsIn(action: string, side: string | null): ReadonlyMap<string, string> {
  if (side === null || side === '') return new Map();
  try {
    const parsed: unknown = JSON.parse(side);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return new Map(flat('', parsed));
    }
  } catch {}
  return new Map([['', valueText(amounts.has(action) ? 'usd' : '', side)]]);
}

/** The settings whose values are amounts in USD. */
const amounts: ReadonlySet<string> = new Set([
  ...['call.correct', 'call.reprice', 'call.settle', 'invoice.settle', 'model.reprice'],
]);

type Setting = readonly [name: string, text: string];

function flat(above: string, settings: object): readonly Setting[] {
  return Object.entries(settings).flatMap(
    ([name, value]: [string, unknown]): readonly Setting[] => {
      const whole = [above, nameOf(name)].filter(Boolean).join(' ');
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return [[whole, valueText(name, value)]];
      }
      return flat(name === 'credits' ? above : whole, value);
    },
  );
}

const names: Readonly<Record<string, string>> = {
  capUsd: 'limit',
  monthlyGrant: 'monthly credit value',
  monthlyGrantUsd: 'monthly credit value',
  monthlyGrantPicoUsd: 'monthly credit value',
  keysMax: 'maximum active keys',
  mode: 'when used up',
  perUserDailyUsd: 'daily budget per user',
  perUserDailyPicoUsd: 'daily budget per user',
  plans: 'rate limits',
  picoUsdPerCredit: 'credit price',
  usdPerCredit: 'credit price',
  requirePriced: 'price required',
  unpriced: 'models without a price',
  visible: 'visible to callers',
};

/** `dailyBudgetUsd` becomes `daily budget`. */
function nameOf(name: string): string {
  const words = names[name] ?? name.replace(/(?:Pico)?Usd$/, '').replace(/[A-Z]/g, ' $&');
  return words.toLowerCase().trim();
}

const valueWords: Readonly<Record<string, string>> = {
  enforce: 'rejects calls',
  shadow: 'shadow',
  true: 'yes',
  false: 'no',
};

function valueText(name: string, value: unknown): string {
  if (value === null && name === 'models') return 'all';
  if (value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  const text = String(value);
  if (/pico/i.test(name) && /^-?\d+$/.test(text)) return exactUsd(textOf(BigInt(text)));
  if (/usd/i.test(name) && /^-?\d+(\.\d+)?$/.test(text)) return exactUsd(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return `${text.slice(0, 16).replace('T', ' ')} UTC`;
  return valueWords[text] ?? text;
}

/** The page of a line's subject. */
export function pageOf(action: string, subject: string): string | undefined {
  const [noun = ''] = action.split('.', 1);
  const name = encodeURIComponent(subject);
  if (noun === 'app') return `/console/apps/${name}`;
  if (noun === 'key') return `/console/keys?find=${name}`;
  if (noun === 'call') return `/console/calls/${name}`;
  if (noun === 'budget') return '/console/budgets';
  if (noun === 'price' || noun === 'model') return '/console/models';
  const [app = '', user] = subject.split('/');
  if (noun !== 'wallet' || user === undefined) return undefined;
  return `/console/apps/${encodeURIComponent(app)}?user=${encodeURIComponent(user)}`;
}
