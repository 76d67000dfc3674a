import type {
  CallCorrected,
  CallDocument,
  Receipt,
} from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { sendChange } from '../../data/operations.ts';
import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { OpenedChange } from '../../parts/change-dialog.tsx';
import { type Action, Menu } from '../../parts/menu.tsx';
import { ExactUsd } from '../../parts/values.tsx';

interface MenuProps {
  readonly shown: Receipt;
  readonly again: () => void;
}

export function ReceiptMenu({ shown: { call }, again }: MenuProps) {
  const mayCorrect = useMay('money');
  const { app, userId, keyId } = call;
  const actions: readonly (Action | false)[] = [
    mayCorrect &&
      call.state === 'finished' && {
        icon: 'switched',
        text: 'Correct cost…',
        dialog: (close) => <CorrectDialog call={call} close={close} onChanged={again} />,
      },
    userId !== null && {
      icon: 'user',
      text: 'Show calls of this user',
      href: withQuery('/console/calls', { app, user: userId }),
    },
    keyId !== null && {
      icon: 'key',
      text: 'Show calls of this key',
      href: withQuery('/console/calls', { key: keyId }),
    },
    { icon: 'download', text: 'Print', onClick: () => print() },
  ];
  return <Menu label="More actions" actions={actions.filter((action) => action !== false)} />;
}

interface CorrectProps {
  readonly call: CallDocument;
  readonly close: () => void;
  readonly onChanged: () => void;
}

/** If the new cost is far above the reservation, the id must be typed too. */
function CorrectDialog({ call: { id, costUsd }, close, onChanged }: CorrectProps) {
  const [isLarge, setLarge] = useState(false);
  return (
    <OpenedChange<CallCorrected>
      title="Correct cost"
      verb="Correct"
      operation="calls correct"
      formFields={{ usd: { label: 'Actual cost (USD)', value: costUsd, hint: undefined } }}
      confirm={isLarge ? id : undefined}
      send={async ({ values: { usd }, common }) => {
        const corrected = await sendChange<CallCorrected>('calls correct', { id, usd }, common);
        setLarge(corrected.result?.isLarge === true);
        return corrected;
      }}
      preview={({ result }) =>
        result !== null && (
          <p>
            <ExactUsd of={result.costUsd} /> becomes <ExactUsd of={result.usd} />
            {result.isLarge && ', more than 10 times the reserved amount'}
          </p>
        )
      }
      onChanged={onChanged}
      close={close}
    />
  );
}
