import type { Receipt } from '@model-gateway/server/operations/documents';
import { useRead } from '../../data/read.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Id } from '../../parts/values.tsx';
import { ReceiptBrief } from '../receipt/receipt-brief.tsx';

interface DrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** The receipt of a call, next to the list. */
export function CallDrawer({ id, onClose }: DrawerProps) {
  const path = encodeURIComponent(id);
  const receipt = useRead<Receipt>(`/calls/${path}`);
  return (
    <Drawer title="Call" note={<Id of={id} />} href={`/console/calls/${path}`} onClose={onClose}>
      <Shown of={receipt} rows={12}>
        {(shown) => <ReceiptBrief shown={shown} />}
      </Shown>
    </Drawer>
  );
}
