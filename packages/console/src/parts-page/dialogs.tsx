import { useState } from 'preact/hooks';
import { Card } from '../parts/card.tsx';
import { OpenedChange } from '../parts/change-dialog.tsx';
import { Drawer } from '../parts/drawer.tsx';
import { ShownSecret } from '../parts/shown-secret.tsx';
import { Alert } from '../parts/states.tsx';
import { toast } from '../parts/toast.tsx';
import { longName } from './samples.ts';

const changes = [
  {
    ...{ action: 'app.update', subject: 'tutor' },
    ...{ before: '{"dailyBudgetUsd":"1000"}', after: '{"dailyBudgetUsd":"1200"}' },
  },
];

export function Dialogs() {
  const [opened, open] = useState<'change' | 'danger' | 'secret' | 'drawer'>();
  const close = () => open(undefined);
  const common = { close, onChanged: () => toast('Changed', () => undefined) };
  return (
    <Card title="Dialogs, drawer, toast">
      <div class="row">
        {(['change', 'danger', 'secret', 'drawer'] as const).map((name) => (
          <button key={name} type="button" onClick={() => open(name)}>
            {name}…
          </button>
        ))}
        <button type="button" onClick={() => toast('Budget of tutor changed', () => undefined)}>
          toast
        </button>
      </div>
      {opened === 'change' && (
        <OpenedChange
          {...common}
          title={`Change the budget of ${longName}`}
          operation="apps update"
          formFields={{
            budget: { label: 'USD per day', hint: 'Currently $1,000.00', value: '1200' },
          }}
          send={async () => ({ changes })}
          preview={() => <p>Remaining today: $0.0041 becomes $200.00</p>}
          verb="Change budget"
        />
      )}
      {opened === 'danger' && (
        <OpenedChange
          {...common}
          title="Disable key 9c2hn6t0w5ek"
          operation="keys disable"
          confirm="search"
          isDangerous={true}
          send={async () => Promise.reject(new Error('a reason of the service'))}
          verb="Disable key"
        >
          <Alert tone="bad">
            This key made 34,996 calls today. Calls with it will fail with 403.
          </Alert>
        </OpenedChange>
      )}
      {opened === 'secret' && (
        <OpenedChange
          {...common}
          title="Issue key"
          operation="keys issue"
          formFields={{ email: 'Owner' }}
          send={async () => ({ changes: [] })}
          done={() => <ShownSecret label="The key" text={`mgk_${'k'.repeat(60)}`} />}
          verb="Issue key"
        />
      )}
      {opened === 'drawer' && (
        <Drawer title={longName} note="A note" href="#" onClose={close}>
          <section>
            <h3>A section</h3>
            <p>Its text</p>
          </section>
        </Drawer>
      )}
    </Card>
  );
}
