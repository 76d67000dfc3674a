import type { Receipt } from '@model-gateway/server/operations/documents';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { type Read, useRead } from '../../data/read.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { ExactUsd } from '../../parts/values.tsx';
import { en } from '../../text/en.ts';
import { exactUsd } from '../../text/money.ts';
import { CallState } from './call-state.tsx';
import { ReceiptMenu } from './receipt-menu.tsx';
import { ReceiptView } from './receipt-view.tsx';

export function ReceiptPage() {
  const { id = '' } = useRoute().params;
  const receipt = useRead<Receipt>(`/calls/${encodeURIComponent(id)}`);
  useOwnAddress(id, receipt);
  const { data } = receipt;
  return (
    <>
      <PageHead
        {...titleOf(data)}
        crumbs={
          <>
            <a href="/console/calls">{en.pages.calls}</a>
            <span aria-hidden="true">/</span>
            <code>{data?.call.id ?? id}</code>
          </>
        }
        note={data === undefined ? '\u00a0' : <CallState of={data} />}
      >
        {data !== undefined && (
          <>
            <CopyButton text={JSON.stringify(data, null, 2)} what="the receipt" label="Copy JSON" />
            <ReceiptMenu shown={data} again={receipt.again} />
          </>
        )}
      </PageHead>
      <Shown of={receipt} rows={14}>
        {(shown) => <ReceiptView shown={shown} again={receipt.again} />}
      </Shown>
    </>
  );
}

/** Always exact. */
function titleOf(data: Receipt | undefined) {
  if (data === undefined) return { title: 'Receipt' };
  const { call, totalUsd } = data;
  const usd = call.state === 'running' ? call.heldUsd : (totalUsd ?? call.costUsd);
  const text = call.state === 'running' ? 'Maximum cost of this call:' : 'Cost of this call:';
  return {
    title: `${text} ${exactUsd(usd)}`,
    shown: (
      <>
        {text} <ExactUsd of={usd} />
      </>
    ),
  };
}

/** A call found by a request's id gets its own address. */
function useOwnAddress(id: string, { data }: Read<Receipt>): void {
  const { route } = useLocation();
  const own = data?.call.id;
  useEffect(() => {
    if (own !== undefined && own !== id) route(`/console/calls/${own}`, true);
  }, [own, id, route]);
}
