import type {
  WebhookDocument,
  WebhooksPage,
  WebhookTestResult,
} from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { send } from '../../data/client.ts';
import { failureOf } from '../../data/failure.ts';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Menu } from '../../parts/menu.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Alert, Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Count } from '../../parts/values.tsx';
import { AppsCell } from './apps-cell.tsx';

interface Outcome {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

export function Webhooks() {
  const mayOperate = useMay('operate');
  const read = useRead<WebhooksPage>('/webhooks');
  const [outcome, setOutcome] = useState<Outcome>();
  const test = async (name: string) => {
    setOutcome({ tone: 'good', text: `Sending a test event to ${name}…` });
    setOutcome(await sendTest(name));
    read.again();
  };
  return (
    <Shown of={read} rows={3}>
      {({ items }) => (
        <Card title="Webhooks" isFlush>
          <output>
            {outcome !== undefined && <Alert tone={outcome.tone}>{outcome.text}</Alert>}
          </output>
          <Table
            caption="Webhook deliveries"
            columns={mayOperate ? [...columns, testColumn(test)] : columns}
            rows={items}
            keyOf={({ name }) => name}
            empty={
              <Empty icon="activity" title="No webhooks">
                <p>Add one to the configuration under notify. Its deliveries appear here.</p>
              </Empty>
            }
          />
        </Card>
      )}
    </Shown>
  );
}

const columns: readonly Column<WebhookDocument>[] = [
  {
    ...{ id: 'name', head: 'Webhook', narrow: 1 },
    cell: ({ name, origin, format }) => {
      const to = [origin, format].filter(Boolean).join(' · ');
      return (
        <>
          <span class="cut" title={name}>
            {name}
          </span>
          <span class="cut note" title={to}>
            {to}
          </span>
        </>
      );
    },
  },
  { id: 'state', head: 'State', narrow: 5, cell: (webhook) => <WebhookState of={webhook} /> },
  { id: 'events', head: 'Events', isFill: true, narrow: 3, cell: eventsCell },
  { id: 'apps', head: 'Apps', cell: ({ apps }) => <AppsCell of={apps} /> },
  {
    ...{ id: 'delivered', head: 'Delivered', isNumber: true, narrow: 2 },
    cell: ({ delivered }) => (
      <>
        <Count of={delivered} />
        <span class="narrow"> delivered</span>
      </>
    ),
  },
  {
    ...{ id: 'waiting', head: 'Waiting', isNumber: true },
    cell: ({ waiting }) => <Count of={waiting} />,
  },
  {
    ...{ id: 'dead', head: 'Abandoned', isNumber: true, narrow: 4 },
    cell: ({ dead }) => (
      <span class={dead === 0 ? undefined : 'bad'}>
        <Count of={dead} />
        <span class="narrow"> abandoned</span>
      </span>
    ),
  },
];

function eventsCell({ events, at }: WebhookDocument) {
  const shares = at.map((one) => `${one}%`).join(', ');
  const text = [events.join(', '), shares && `budgets at ${shares}`].filter(Boolean).join(' · ');
  return (
    <span class="lines" title={text}>
      {text || '–'}
    </span>
  );
}

const states = {
  gone: ['Gone', 'The receiver responded with 410 Gone. No more events are sent.'],
  left: ['Removed', 'This webhook is no longer in the configuration. Its counts are kept.'],
} as const;

/** The title has the reason of the last failed delivery. */
function WebhookState({ of: { state, lastError } }: { readonly of: WebhookDocument }) {
  if (state !== 'on') {
    const [text, title] = states[state];
    return (
      <Badge tone={state === 'gone' ? 'bad' : 'plain'} icon="refused" title={title}>
        {text}
      </Badge>
    );
  }
  if (lastError === null) return <Badge tone="good">On</Badge>;
  return (
    <Badge tone="warn" title={`Last error: ${lastError}`}>
      On, last error: <span class="cut">{lastError}</span>
    </Badge>
  );
}

function testColumn(test: (name: string) => Promise<void>): Column<WebhookDocument> {
  return {
    ...{ id: 'actions', head: 'Actions', narrow: 6 },
    cell: ({ name, state }) =>
      state === 'on' && (
        <Menu
          label={`Actions for ${name}`}
          actions={[{ icon: 'open', text: 'Send test event', onClick: () => void test(name) }]}
        />
      ),
  };
}

async function sendTest(name: string): Promise<Outcome> {
  try {
    const path = `/webhooks/${encodeURIComponent(name)}/test`;
    const { isDelivered, status, words, error } = await send<WebhookTestResult>('POST', path, {});
    if (isDelivered) {
      return { tone: 'good', text: `${name} accepted the test event with ${status}.` };
    }
    const text = error ?? `rejected with ${status}: ${words}`;
    return { tone: 'bad', text: `The test event to ${name} failed: ${text}` };
  } catch (error) {
    return { tone: 'bad', text: failureOf(error).message };
  }
}
