import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
import { placeByButton } from './place-by-button.ts';

export interface Action {
  readonly icon: IconName;
  readonly text: string;
  readonly href?: string;
  readonly onClick?: () => void;
  /** Opened by the action; its name ends with `…`. */
  readonly dialog?: (close: () => void) => ComponentChildren;
  readonly isDangerous?: boolean;
}

interface MenuProps {
  /** Names the row: `Actions for tutor`. */
  readonly label: string;
  /** Empty before they arrive: the button waits. */
  readonly actions: readonly Action[];
}

/** The actions of a row, behind one button. The browser closes it: Escape, or a click elsewhere. */
export function Menu({ label, actions }: MenuProps) {
  const id = useId();
  const [opened, open] = useState<Action>();
  const close = () => open(undefined);
  return (
    <>
      <button
        type="button"
        class="quiet icon small"
        popovertarget={id}
        aria-label={label}
        disabled={actions.length === 0}
      >
        <Icon of="actions" />
      </button>
      <div class="menu" id={id} popover="auto" onToggle={placeByButton}>
        {actions.map((action) => (
          <Item key={action.text} action={action} open={open} />
        ))}
      </div>
      {opened?.dialog?.(close)}
    </>
  );
}

interface ItemProps {
  readonly action: Action;
  readonly open: (action: Action) => void;
}

function Item({ action, open }: ItemProps) {
  const { icon, text, href, onClick, dialog, isDangerous } = action;
  const className = isDangerous === true ? 'danger' : undefined;
  const inside = (
    <>
      <Icon of={icon} />
      {text}
    </>
  );
  if (href !== undefined) {
    return (
      <a class={className} href={href}>
        {inside}
      </a>
    );
  }
  return (
    <button
      type="button"
      class={className}
      aria-haspopup={dialog === undefined ? undefined : 'dialog'}
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onClick?.();
        if (dialog !== undefined) open(action);
      }}
    >
      {inside}
    </button>
  );
}
