import type { KeyChanged, ListedKey } from '@model-gateway/server/operations/documents';
import { useMay, useSession } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { OpenedChange } from '../../parts/change-dialog.tsx';
import { type Action, Menu } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';

interface MenuProps {
  readonly of: ListedKey;
  readonly again: () => void;
}

export function KeyMenu({ of, again }: MenuProps) {
  const { id } = of;
  return (
    <Menu
      label={`Actions for key ${id}`}
      actions={[
        { icon: 'calls', text: 'Show calls', href: withQuery('/console/calls', { key: id }) },
        {
          ...{ icon: 'warning', text: 'Show failed calls' },
          href: withQuery('/console/calls', { key: id, failed: 'true' }),
        },
        {
          ...{ icon: 'activity', text: 'Show changes' },
          href: withQuery('/console/activity', { subject: id }),
        },
        {
          ...{ icon: 'copy', text: 'Copy id' },
          onClick: () => void navigator.clipboard.writeText(id).then(() => toast(`Copied ${id}`)),
        },
        ...useChanges({ of, again }),
      ]}
    />
  );
}

function useChanges({ of, again }: MenuProps): readonly Action[] {
  const mayKeys = useMay('keys');
  const isOperator = useSession()?.role === 'operator';
  const { id, app, enabled, disabledRole, state } = of;
  if (!mayKeys || (!enabled && !isOperator && disabledRole !== 'team')) return [];
  const verb = enabled ? 'Disable' : 'Enable';
  const isOpen = state === 'replaced';
  const rotate: Action = {
    ...{ icon: 'switched', text: isOpen ? 'Continue rotation' : 'Rotate…' },
    href: rotationOf(id),
  };
  const change: Action = {
    ...{ icon: enabled ? 'refused' : 'done', text: `${verb}…`, isDangerous: enabled },
    dialog: (close) => (
      <OpenedChange<KeyChanged>
        title={`${verb} key ${id}`}
        confirm={enabled ? app : undefined}
        verb={`${verb} key`}
        operation={enabled ? 'keys disable' : 'keys enable'}
        given={{ id }}
        close={close}
        onChanged={() => {
          toast(`${verb}d key ${id}`);
          again();
        }}
      >
        {enabled && (
          <p>New calls with this key are rejected within 1 s. Running calls finish normally.</p>
        )}
      </OpenedChange>
    ),
  };
  return enabled ? [rotate, change] : [change];
}

export function rotationOf(id: string): string {
  return `/console/keys/${encodeURIComponent(id)}/rotate`;
}
