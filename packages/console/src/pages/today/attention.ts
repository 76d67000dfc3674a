import type { Overview, OverviewApp } from '@model-gateway/server/operations/documents';
import type { IconName } from '../../parts/icon.tsx';
import { shortUsd } from '../../text/money.ts';
import { once } from '../../text/once.ts';
import { resetText } from '../../text/reset.ts';

export interface Attention {
  readonly tone: 'bad' | 'warn';
  readonly icon: IconName;
  /** The app that it concerns; it begins the text. */
  readonly app?: string;
  readonly text: string;
  readonly detail: string;
  readonly href: string;
  readonly verb: string;
  /** Its budget can be raised here. */
  readonly isBudget?: true;
}

type Problem = Overview['problems'][number];

/** Things that need a person, the most urgent first. */
export function attentionOf({ at, apps, problems, refusedToday }: Overview): readonly Attention[] {
  const enabled = apps.filter((app) => app.enabled && app.capUsd !== null);
  const refused = new Map(
    refusedToday.filter(({ code }) => code === 'BUDGET_EXCEEDED').map((one) => [one.app, one]),
  );
  const left = enabled.filter((app) => !isUsedUp(app));
  const refusing = left.flatMap((app) => {
    const one = refused.get(app.app);
    const isRecent = one !== undefined && Date.parse(at) - Date.parse(one.lastAt) < recentMs;
    return isRecent ? [{ app, one }] : [];
  });
  const tight = left.filter(
    (app) => app.forecast.exhaustedAt !== null && !refusing.some((other) => other.app === app),
  );
  return [
    ...enabled.filter(isUsedUp).map((app) => usedUp(app, refused.get(app.app)?.count ?? 0)),
    ...refusing.map(({ app, one }) => overBudget(app, one)),
    ...tight.toSorted(bySoonest).map(reaching),
    ...problems
      .toSorted((a, b) => priorityOf(a) - priorityOf(b))
      .map((problem) => problemText(problem, Date.parse(at))),
  ];
}

/** Older rejections might concern a budget that was raised since. */
const recentMs = 900_000;

export function isUsedUp({ usedUpSince, leftUsd }: OverviewApp): boolean {
  return usedUpSince !== null || leftUsd === '0';
}

function bySoonest({ forecast: a }: OverviewApp, { forecast: b }: OverviewApp): number {
  return (a.exhaustedAt ?? '') < (b.exhaustedAt ?? '') ? -1 : 1;
}

function usedUp({ app, usedUpSince }: OverviewApp, refused: number): Attention {
  const count = refusedText(refused);
  const since = usedUpSince === null ? ' today' : ` since ${usedUpSince.slice(11, 16)} UTC`;
  return {
    ...{ tone: 'bad', icon: 'refused', app, text: 'used up its budget', detail: count + since },
    ...{ href: appHref(app), verb: 'Raise budget', isBudget: true },
  };
}

function refusedText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'} rejected`;
}

/** Something is left, but less than a call can cost. */
function overBudget(
  { app, leftUsd }: OverviewApp,
  { count, lastAt }: Pick<Overview['refusedToday'][number], 'count' | 'lastAt'>,
): Attention {
  const last = `${refusedText(count)} today, the last at ${lastAt.slice(11, 16)} UTC`;
  return {
    ...{ tone: 'bad', icon: 'refused', app, text: 'had calls rejected by its budget' },
    ...{ detail: `${last}; ${shortUsd(leftUsd ?? '0')} left` },
    ...{ href: appHref(app), verb: 'Raise budget', isBudget: true },
  };
}

function reaching({ app, forecast: { exhaustedAt } }: OverviewApp): Attention {
  const at = exhaustedAt?.slice(11, 16);
  return {
    ...{ tone: 'warn', icon: 'warning', app, text: '' },
    ...{
      detail: `Forecast to reach its budget at about ${at} UTC`,
      href: appHref(app),
      verb: 'Review',
    },
  };
}

const kinds: readonly Problem['kind'][] = [
  ...(['unpriced', 'circuit', 'platform', 'closed', 'key'] as const),
  ...(['replicas', 'webhook', 'invoice', 'sums'] as const),
];

function priorityOf({ kind }: Problem): number {
  return kinds.indexOf(kind);
}

const presentations: Readonly<Record<Problem['kind'], Pick<Attention, 'tone' | 'icon' | 'verb'>>> =
  {
    unpriced: { tone: 'warn', icon: 'model', verb: 'View models' },
    circuit: { tone: 'bad', icon: 'health', verb: 'View health' },
    platform: { tone: 'bad', icon: 'health', verb: 'View health' },
    closed: { tone: 'bad', icon: 'pie', verb: 'View budgets' },
    key: { tone: 'warn', icon: 'key', verb: 'Review' },
    replicas: { tone: 'warn', icon: 'health', verb: 'View health' },
    webhook: { tone: 'warn', icon: 'access', verb: 'View webhooks' },
    invoice: { tone: 'warn', icon: 'switched', verb: 'Reconcile' },
    sums: { tone: 'warn', icon: 'activity', verb: 'View health' },
  };

/** The sentence's first part is the title, the rest the details. */
function problemText({ kind, text, href }: Problem, nowMs: number): Attention {
  const [head = '', ...rest] = readable(text, nowMs).split(': ');
  const where = kind === 'closed' ? '/console/budgets' : href;
  return {
    ...presentations[kind],
    text: upper(head),
    detail: sentence(rest.join(': ')),
    href: where,
  };
}

/** Times, days and amounts in the page's format. */
function readable(text: string, nowMs: number): string {
  return text
    .replaceAll(/ends at (\S+Z)/g, (_, end: string) => `ends ${resetText(end, nowMs)}`)
    .replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z/g, '$1 $2 UTC')
    .replaceAll(/invoice of (\d{4}-\d\d-\d\d)/g, (_, day: string) => `invoice of ${dayText(day)}`)
    .replaceAll(/\$(\d+(?:\.\d+)?)/g, (_, usd: string) => shortUsd(usd));
}

function dayText(day: string): string {
  return days().format(new Date(day));
}

const days = once(
  () => new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', timeZone: 'UTC' }),
);

function upper(text: string): string {
  // The name of a model keeps its case.
  return /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** A list of names is not a sentence. */
function sentence(text: string): string {
  return /^(?:it|reports|still|differs|failing,) /.test(text) ? upper(text) : text;
}

export function appHref(app: string): string {
  return `/console/apps/${encodeURIComponent(app)}`;
}
