import type { BudgetChanged, Overview } from '@model-gateway/server/operations/documents';
import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { UsedBar } from '../../parts/budget-bar.tsx';
import { OpenedChange } from '../../parts/change-dialog.tsx';
import type { Column } from '../../parts/column.ts';
import { type Action, Menu } from '../../parts/menu.tsx';
import { Day, Name, Usd } from '../../parts/values.tsx';
import { picoOf } from '../../text/money.ts';
import { OpenedBudget } from '../budget-dialog.tsx';
import { appHref } from '../today/attention.ts';
import { type Limit, usedShareOf } from './limits.ts';

export function limitColumns(
  { resetsAt, day }: Pick<Overview, 'resetsAt' | 'day'>,
  again: () => void,
): readonly Column<Limit>[] {
  return [
    { id: 'budget', head: 'Budget', narrow: 1, value: ({ name }) => name, cell: NameCell },
    {
      ...{ id: 'used', head: 'Used', narrow: 5, value: usedShareOf },
      cell: ({ name, capUsd, spentUsd, heldUsd, leftUsd, use, exhaustedAt }) =>
        leftUsd === null ? (
          <span class="note">per-user budget</span>
        ) : (
          <UsedBar
            label={use === undefined ? `Daily budget of ${name}` : name}
            {...{ capUsd, spentUsd, heldUsd }}
            isTight={exhaustedAt !== undefined}
          />
        ),
    },
    {
      ...{ id: 'cap', head: 'Budget (USD)', isNumber: true },
      value: ({ capUsd }) => picoOf(capUsd),
      cell: ({ capUsd }) => <Usd of={capUsd} />,
    },
    {
      ...{ id: 'spent', head: 'Spent', isNumber: true, narrow: 2 },
      value: ({ spentUsd }) => picoOf(spentUsd),
      cell: (limit) => <Spent of={limit} />,
    },
    {
      ...{ id: 'held', head: 'Reserved', isNumber: true, value: ({ heldUsd }) => picoOf(heldUsd) },
      cell: ({ heldUsd, shown }) => (
        <span class={heldUsd === '0' ? undefined : 'held'}>
          <Usd of={heldUsd} shown={shown.held} />
        </span>
      ),
    },
    {
      ...{ id: 'left', head: 'Remaining', isNumber: true, narrow: 4 },
      value: ({ leftUsd }) => picoOf(leftUsd ?? '0'),
      cell: ({ leftUsd, shown }) => (
        <>
          <Usd of={leftUsd} shown={shown.left} />
          {leftUsd !== null && <span class="narrow"> left</span>}
        </>
      ),
    },
    {
      ...{ id: 'resets', head: 'Resets (UTC)', value: ({ span }) => span },
      cell: ({ span }) => <Resets span={span} day={day} resetsAt={resetsAt} />,
    },
    {
      id: 'acts',
      head: 'When used up',
      narrow: 3,
      value: actOrder,
      cell: (limit) => <Acts of={limit} />,
    },
    {
      ...{ id: 'actions', head: <span class="hide">Actions</span>, narrow: 6 },
      cell: (limit) => <LimitMenu of={limit} again={again} />,
    },
  ];
}

const kinds = { app: 'App', group: 'Group', key: 'Key', users: 'Users' } as const;

function NameCell({ name, kind, app, of, use, span }: Limit) {
  const subject = name.replace(/^(?:app|key|users):/, '');
  const text = use === undefined ? 'Daily budget' : kinds[kind];
  return (
    <>
      {app === undefined ? (
        <Name of={subject} />
      ) : (
        <a class="go" href={appHref(app)}>
          <Name of={subject} />
        </a>
      )}{' '}
      <span class="cut note" title={of === '' ? undefined : of}>
        {use !== undefined && (span === 'day' ? 'Daily, ' : 'Monthly, ')}
        {use === undefined ? text : text.toLowerCase()}
        {of !== '' && `: ${of}`}
      </span>
    </>
  );
}

function Spent({ of: { spentUsd, shown, app, span } }: { readonly of: Limit }) {
  const amount = <Usd of={spentUsd} shown={shown.spent} />;
  if (app === undefined) return amount;
  return (
    <a class="go" href={withQuery('/console/spend', { range: span, app })}>
      {amount}
    </a>
  );
}

interface ResetsProps {
  readonly span: Limit['span'];
  readonly day: string;
  readonly resetsAt: string;
}

function Resets({ span, day, resetsAt }: ResetsProps) {
  if (span === 'day') return <Day of={resetsAt.slice(0, 10)} />;
  const [year = 0, month = 0] = day.split('-').map(Number);
  return <Day of={new Date(Date.UTC(year, month)).toISOString().slice(0, 10)} />;
}

function actOrder({ use }: Limit): string {
  if (use === undefined) return 'refuses';
  return use.closedAt === null ? use.mode : 'closed';
}

function Acts({ of: { use, exhaustedAt, isUsedUp } }: { readonly of: Limit }) {
  if (use !== undefined && use.closedAt !== null) {
    return (
      <Badge
        tone="bad"
        title="A restore of the store closed this budget; its amounts might be older than its calls"
      >
        Closed by restore
      </Badge>
    );
  }
  if (use?.mode === 'shadow') {
    const { calls } = use.wouldRefuse;
    const count = calls.toLocaleString('en');
    return (
      <Badge
        tone={calls > 0 ? 'warn' : 'plain'}
        title={`${count} ${calls === 1 ? 'call' : 'calls'} would have been rejected`}
      >
        Shadow: {count} over
      </Badge>
    );
  }
  if (isUsedUp) return <Badge tone="bad">Rejects calls now</Badge>;
  if (exhaustedAt !== undefined) {
    return <Badge tone="warn">Rejects calls from about {exhaustedAt.slice(11, 16)} UTC</Badge>;
  }
  return <span class="note">Rejects calls</span>;
}

interface MenuProps {
  readonly of: Limit;
  readonly again: () => void;
}

function LimitMenu({ of, again }: MenuProps) {
  const mayOperate = useMay('operate');
  const { use, name, app, span, kind } = of;
  const change: Action = {
    ...{ icon: 'pie', text: 'Change budget…' },
    dialog: (close) =>
      use === undefined ? (
        <OpenedBudget app={name} close={close} onChanged={again} />
      ) : (
        <ChangeLimit of={of} close={close} again={again} />
      ),
  };
  const spend = { range: span, ...(app !== undefined && { app }) };
  const key = name.replace(/^key:/, '');
  const calls = kind === 'key' ? { key } : { app };
  const actions: readonly Action[] = [
    ...(mayOperate ? [change] : []),
    { icon: 'bars', text: 'Show spend', href: withQuery('/console/spend', spend) },
    ...(kind === 'group'
      ? []
      : [{ icon: 'calls', text: 'Show calls', href: withQuery('/console/calls', calls) } as const]),
  ];
  return <Menu label={`Actions for ${name}, ${span}`} actions={actions} />;
}

const fields = { day: 'dailyUsd', month: 'monthlyUsd' } as const;

function ChangeLimit({ of, again, close }: MenuProps & { readonly close: () => void }) {
  const { name, span, capUsd } = of;
  return (
    <OpenedChange<BudgetChanged>
      title={`${span === 'day' ? 'Daily' : 'Monthly'} budget of ${name}`}
      operation="budgets set"
      given={{ scope: name }}
      formFields={{
        [fields[span]]: {
          ...{ label: `USD per ${span}`, value: capUsd },
          hint: 'Empty removes the budget',
        },
      }}
      verb="Change budget"
      onChanged={again}
      close={close}
    />
  );
}
