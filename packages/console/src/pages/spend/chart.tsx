import type { Spend } from '@model-gateway/server/operations/documents';
import { dayOf } from '../../data/days.ts';
import { BarChart } from '../../parts/chart-bars.tsx';
import { type Asked, callsOf } from './asked.ts';

const others = 'others';

export function SpendChart({ spend, asked }: { readonly spend: Spend; readonly asked: Asked }) {
  if (spend.days.length === 0) return null;
  const today = dayOf(Date.now());
  // Of users there are sums of months alone: a day is one amount.
  const isWhole = spend.days.every(({ parts }) => parts.length === 0);
  const days = isWhole
    ? spend.days.map((day) => ({ ...day, parts: [{ name: 'Cost', costUsd: day.costUsd }] }))
    : spend.days;
  const names = new Set(days.flatMap(({ parts }) => parts.map(({ name }) => name)));
  // The rest is last, wherever a day has it.
  const stacked = [...names]
    .filter((name) => name !== null)
    .concat(names.has(null) ? [others] : []);
  const bars = days.map(({ day, costUsd, parts }) => ({
    label: day,
    total: costUsd,
    amounts: Object.fromEntries(parts.map((part) => [part.name ?? others, part.costUsd])),
    isOpen: day === today,
    href: callsOf({ ...asked, from: day, to: day }),
  }));
  return (
    <BarChart
      caption={isWhole ? 'Cost a day, USD' : `Cost a day by ${asked.by}, USD`}
      names={stacked}
      bars={bars}
    />
  );
}
