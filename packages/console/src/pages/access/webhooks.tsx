import type {
  HookDocument,
  HooksPage,
  HookTested,
} from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { send } from '../../data/client.ts';
import { failureOf } from '../../data/failure.ts';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/who.ts';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Long } from '../../parts/long.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Count } from '../../parts/values.tsx';

export function Webhooks() {
  const mayOperate = useMay('operate');
  const columns: readonly Head<HookDocument>[] = [
    { head: 'Webhook', cell: ({ name }) => name },
    { head: 'State', cell: ({ state }) => state },
    { head: 'To', cell: ({ origin, format }) => [origin, format].filter(Boolean).join(' · ') },
    {
      head: 'Told of',
      cell: ({ events, at }) => [...events, ...at.map((one) => `${one} %`)].join(', '),
    },
    { head: 'Of', cell: ({ apps }) => apps?.join(', ') ?? 'all apps' },
    { head: 'Delivered', isNumber: true, cell: ({ delivered }) => <Count of={delivered} /> },
    { head: 'Waiting', isNumber: true, cell: ({ waiting }) => <Count of={waiting} /> },
    { head: 'Given up', isNumber: true, cell: ({ dead }) => <Count of={dead} /> },
    { head: 'Last error', cell: ({ lastError }) => lastError ?? '–' },
    {
      head: 'Try',
      cell: ({ name, state }) => mayOperate && state === 'on' && <SendTest name={name} />,
    },
  ];
  return (
    <section>
      <h2>Webhooks</h2>
      <Shown of={useRead<HooksPage>('/webhooks')}>
        {({ items }) => (
          <DataTable
            caption="Webhooks"
            heads={columns}
            rows={items}
            keyOf={({ name }) => name}
            empty="None. Those that the configuration names under notify are here, with what became of each message."
          />
        )}
      </Shown>
    </section>
  );
}

function SendTest({ name }: { readonly name: string }) {
  const [said, setSaid] = useState('');
  const path = `/webhooks/${encodeURIComponent(name)}/test`;
  return (
    <div class="actions">
      <button
        type="button"
        aria-label={`Send a test to ${name}`}
        onClick={async () => {
          setSaid('Sending…');
          setSaid(
            await send<HookTested>('POST', path, {}).then(
              answerText,
              (error: unknown) => failureOf(error).message,
            ),
          );
        }}
      >
        Send a test
      </button>
      <output>
        <Long>{said}</Long>
      </output>
    </div>
  );
}

function answerText({ isDelivered, status, words, error }: HookTested): string {
  if (isDelivered) return `Delivered, answered ${status}`;
  return error ?? `Refused with ${status}: ${words}`;
}
