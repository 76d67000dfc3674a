import type { AppPage } from '@model-gateway/server/operations/documents';
import { Badge } from '../../parts/badge.tsx';
import { UsedBar } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Count, Name, Usd } from '../../parts/values.tsx';
import { picoOf } from '../../text/money.ts';
import { resetText } from '../../text/reset.ts';
import { stateOf } from './budget-state.ts';
import { shownUse } from './use.ts';

type Scope = NonNullable<AppPage['usage']['scopes']>[number];

const ownDay = 'This app, daily';

/** A scope whose amounts the reader may see. */
function useOf({ spentUsd, heldUsd, remainingUsd, capUsd }: Scope) {
  const isSeen = spentUsd !== undefined && heldUsd !== undefined && capUsd !== undefined;
  if (!isSeen || remainingUsd === undefined) return undefined;
  const use = { spentUsd, heldUsd, remainingUsd, capUsd };
  return { ...use, shown: shownUse(use) };
}

const columnsOf = (isTight: boolean): readonly Column<Scope>[] => [
  { id: 'budget', head: 'Budget', cell: nameOf, narrow: 1 },
  { id: 'used', head: 'Used', cell: (scope) => usedOf(scope, isTight), narrow: 5 },
  {
    ...{ id: 'spent', head: 'Spent', isNumber: true, narrow: 2 },
    cell: (scope) => <Usd of={scope.spentUsd} shown={useOf(scope)?.shown.spent} />,
  },
  {
    ...{ id: 'held', head: 'Reserved', isNumber: true },
    cell: (scope) => <Usd of={scope.heldUsd} shown={useOf(scope)?.shown.held} />,
  },
  {
    ...{ id: 'left', head: 'Remaining', isNumber: true, narrow: 4 },
    cell: (scope) => <Remaining scope={scope} />,
  },
  {
    ...{ id: 'limit', head: 'Limit', isNumber: true },
    cell: ({ capUsd }) => <Usd of={capUsd} />,
  },
  { id: 'mode', head: 'When used up', cell: modeOf, narrow: 3 },
  {
    ...{ id: 'resets', head: 'Resets (UTC)' },
    cell: ({ resetsAt }) => (
      <time dateTime={resetsAt} title={`${resetsAt.slice(0, 16).replace('T', ' ')} UTC`}>
        {resetText(resetsAt, Date.now())}
      </time>
    ),
  },
];

/** The app's daily budget, and every other budget that counts its calls. */
export function AppScopes({ page }: { readonly page: AppPage }) {
  const { budget, scopes = [] } = page.usage;
  const day = { scope: ownDay, mode: 'enforce' as const };
  return (
    <Card
      title="Budgets for this app"
      aside={
        <a class="note" href="/console/budgets">
          All budgets
        </a>
      }
      isFlush
    >
      <Table
        caption="Budgets"
        columns={columnsOf(stateOf(page) === 'tight')}
        rows={[...(budget === null ? [] : [{ ...day, ...budget }]), ...scopes]}
        keyOf={({ scope, resetsAt }) => `${scope} ${resetsAt}`}
        empty={
          <Empty icon="pie" title="No budgets for this app">
            <p>
              Set a budget for this app, or add a group of apps under budgets in the configuration.
            </p>
          </Empty>
        }
      />
    </Card>
  );
}

function nameOf({ scope, wouldRefuse }: Scope) {
  return (
    <>
      <span class="strong">
        <Name of={scopeText(scope)} />
      </span>
      {wouldRefuse !== undefined && wouldRefuse.calls > 0 && (
        <span class="note">
          {' '}
          would have rejected <Count of={wouldRefuse.calls} />
        </span>
      )}
    </>
  );
}

const ownerLabels: Readonly<Record<string, string>> = {
  app: 'This app',
  key: 'Each key',
  users: 'Each user',
  user: 'Each user',
};

/** `group-month:research` becomes `Group research, monthly`. */
export function scopeText(scope: string): string {
  const [, kind = '', span, name] = /^(\w+)-(day|month)(?::(.*))?$/.exec(scope) ?? [];
  if (span === undefined) return scope;
  const owner = kind === 'group' ? `Group ${name}` : (ownerLabels[kind] ?? kind);
  return `${owner}, ${span === 'day' ? 'daily' : 'monthly'}`;
}

function usedOf(scope: Scope, isTight: boolean) {
  const use = useOf(scope);
  if (use === undefined) return '–';
  return (
    <UsedBar label={scopeText(scope.scope)} {...use} isTight={isTight && scope.scope === ownDay} />
  );
}

function Remaining({ scope }: { readonly scope: Scope }) {
  const { remainingUsd } = scope;
  const isNone = remainingUsd !== undefined && picoOf(remainingUsd) <= 0n;
  return (
    <>
      <span class={isNone ? 'bad' : undefined}>
        <Usd of={remainingUsd} shown={useOf(scope)?.shown.left} />
      </span>
      <span class="narrow"> left</span>
    </>
  );
}

function modeOf({ mode }: Scope) {
  return mode === 'shadow' ? <Badge tone="plain">Shadow</Badge> : 'Rejects calls';
}
