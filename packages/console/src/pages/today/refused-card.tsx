import type { Overview } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { RefusedRow } from '../../parts/refused-row.tsx';
import { Name } from '../../parts/values.tsx';
import { appHref } from './attention.ts';

type Refused = Overview['refusedToday'][number];

const shownMax = 5;

interface RefusedProps {
  readonly of: readonly Refused[];
}

/** By app and reason, each with the sentence that the caller received. */
export function RefusedCard({ of: rows }: RefusedProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, shownMax);
  return (
    <Card
      id="refused"
      title="Rejected today"
      span={8}
      isFlush
      footer={
        rows.length <= shownMax ? undefined : (
          <button type="button" class="small" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${rows.length} reasons`}
          </button>
        )
      }
    >
      <ul class="list">
        {rows.length === 0 && (
          <li>
            <span class="mark good">
              <Icon of="done" />
            </span>
            <div>
              <h3>No rejected requests</h3>
              <p>Since 00:00 UTC.</p>
            </div>
          </li>
        )}
        {shown.map((row) => (
          <Reason key={`${row.app} ${row.code}`} of={row} />
        ))}
      </ul>
    </Card>
  );
}

function Reason({ of }: { readonly of: Refused }) {
  const { app } = of;
  // A rejected key might belong to no app.
  if (app === '-') {
    const where = <span class="note">without an app</span>;
    return <RefusedRow of={of} href="/console/health" where={where} />;
  }
  return (
    <RefusedRow
      of={of}
      href={`${appHref(app)}#refusals`}
      where={
        <>
          <span class="note">in</span>{' '}
          <a href={appHref(app)}>
            <Name of={app} />
          </a>
        </>
      }
    />
  );
}
