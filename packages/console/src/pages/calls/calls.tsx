import type { CallStats } from '@model-gateway/server/operations/documents';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { en } from '../../text/en.ts';
import { CallDrawer } from './call-drawer.tsx';
import { linkId } from './columns.tsx';
import { Export } from './export.tsx';
import { addressOf, filterOf } from './filter.ts';
import { Filters } from './filters.tsx';
import { CallRows, useListed } from './rows.tsx';
import { CallStatistics } from './stats.tsx';

/** 50 a page; the address has the filters, the order and the open call. */
export function CallsPage() {
  const { query, route } = useLocation();
  const stats = useRead<CallStats>(withQuery('/call-stats', filterOf(query)));
  const listed = useListed(query);
  const { call } = query;
  useFocusReturn(call);
  return (
    <>
      <PageHead
        title={en.pages.calls}
        note="Times are UTC. Prompts are never stored; responses are stored only for retries."
      >
        <button
          type="button"
          onClick={() => {
            stats.again();
            listed.again();
          }}
        >
          Refresh
        </button>
        <Export query={query} items={listed.data?.items ?? []} />
      </PageHead>
      <Filters
        query={query}
        stats={stats.data}
        change={(changed) => route(addressOf(query, changed))}
      />
      <CallStatistics of={stats} query={query} />
      <CallRows of={listed} query={query} />
      {call !== undefined && (
        <CallDrawer
          id={call}
          onClose={() => route(withQuery('/console/calls', { ...query, call: undefined }), true)}
        />
      )}
    </>
  );
}

/** To the row of the last open call: `j` and `k` might have changed it. */
function useFocusReturn(call: string | undefined): void {
  const last = useRef<string | undefined>(undefined);
  useEffect(() => {
    const closed = last.current;
    last.current = call;
    if (call === undefined && closed !== undefined) {
      document.getElementById(linkId(closed))?.focus();
    }
  }, [call]);
}
