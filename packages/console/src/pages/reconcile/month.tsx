import type { ReconciledDocument, Spend } from '@model-gateway/server/operations/documents';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { Stat, Stats } from '../../parts/stat.tsx';
import { Alert } from '../../parts/states.tsx';
import { Usd } from '../../parts/values.tsx';
import { shareOf, shortUsd, sumUsd } from '../../text/money.ts';
import { shownDifference, sidesOf } from './amounts.tsx';
import { allVerdicts, isProblem, verdicts } from './verdicts.ts';

interface MonthProps {
  readonly rows: readonly ReconciledDocument[];
  readonly booked: Spend['total'] | undefined;
  readonly href: string;
}

/** Whether the invoice matches, in one sentence with its figures. */
export function MonthTotals({ rows, booked, href }: MonthProps) {
  const sides = sidesOf(rows);
  const days = new Set(rows.map(({ day }) => day)).size;
  const estimated = sumUsd(rows.map(({ estimatedUsd }) => estimatedUsd));
  return (
    <>
      <Answer rows={rows} />
      <Stats>
        <Stat
          label="Invoice"
          figure={<Usd of={sides.invoiceUsd} />}
          note={`${days} ${days === 1 ? 'day' : 'days'}`}
        />
        <Stat
          label="Ledger, same days"
          figure={<Usd of={sides.ledgerUsd} />}
          note={
            <>
              <Usd of={estimated} /> estimated
            </>
          }
        />
        <Stat
          label="Difference"
          figure={<Usd of={sides.differenceUsd} shown={shortUsd(shownDifference(sides))} />}
          note={`${shareOf(sides.differenceUsd, sides.invoiceUsd)} of the invoice`}
        />
        <Stat
          label="Ledger, whole month"
          figure={<Usd of={booked?.costUsd} />}
          note={booked === undefined ? '' : `${booked.calls.toLocaleString('en')} calls`}
          href={href}
        />
      </Stats>
      <Meanings rows={rows} />
    </>
  );
}

function Answer({ rows }: Pick<MonthProps, 'rows'>) {
  const problems = rows.filter(({ verdict }) => isProblem(verdict));
  const missing = rows.filter(({ verdict }) => verdict === 'open').length;
  if (problems.length > 0) {
    const sum = sumUsd(problems.map(({ differenceUsd }) => differenceUsd));
    return (
      <Alert tone="bad" isLasting={true}>
        <span>
          <b>The invoice does not match the ledger.</b> {lineText(problems.length)}{' '}
          {problems.length === 1 ? 'differs' : 'differ'} by <Usd of={sum} /> in total, more than
          estimates explain.
        </span>
      </Alert>
    );
  }
  if (missing > 0) {
    return (
      <Alert tone="warn">
        <span>
          <b>Not yet complete.</b> {lineText(missing)} of the ledger{' '}
          {missing === 1 ? 'has' : 'have'} no invoice yet. All other lines match.
        </span>
      </Alert>
    );
  }
  return (
    <Alert tone="good">
      <b>The invoice matches the ledger.</b>
    </Alert>
  );
}

function lineText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`;
}

function Meanings({ rows }: Pick<MonthProps, 'rows'>) {
  const seen = allVerdicts.flatMap((name) => {
    const count = rows.filter(({ verdict }) => verdict === name).length;
    return count === 0 ? [] : [{ name, count, ...verdicts[name] }];
  });
  return (
    <Card title="Results" isFlush={true}>
      <ul class="list">
        {seen.map(({ name, count, tone, text, help }) => (
          <li key={name}>
            <Badge tone={tone}>{text}</Badge>
            <p>{help}</p>
            <span class="end">{lineText(count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
