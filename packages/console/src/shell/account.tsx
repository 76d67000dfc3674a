import { useId } from 'preact/hooks';
import { send } from '../data/client.ts';
import { clearAll } from '../data/read.ts';
import { storeSecret } from '../data/secret.ts';
import { useSession } from '../data/session.ts';
import { Icon } from '../parts/icon.tsx';
import { placeByButton } from '../parts/place-by-button.ts';
import { en } from '../text/en.ts';
import { ThemeChoice } from './theme.tsx';

interface AccountProps {
  readonly onHelp: () => void;
  readonly onLogout: () => void;
}

/** The user, the theme, the shortcuts and the logout. */
export function Account({ onHelp, onLogout }: AccountProps) {
  const { name = '', role = '' } = useSession() ?? {};
  const id = useId();
  const close = () => document.getElementById(id)?.hidePopover();
  return (
    <>
      <button type="button" class="me" popovertarget={id} title={name}>
        <span class="avatar" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span class="hide">{en.account}</span>
        <span class="cut">
          {name} <small>{role}</small>
        </span>
        <Icon of="down" />
      </button>
      <div class="menu account" id={id} popover="auto" onToggle={placeByButton}>
        <ThemeChoice />
        <button
          type="button"
          onClick={() => {
            close();
            onHelp();
          }}
        >
          {en.help.title} <kbd>?</kbd>
        </button>
        <button
          type="button"
          onClick={async () => {
            await send('DELETE', '/session', {}).catch(() => undefined);
            clearAll();
            storeSecret(null);
            onLogout();
          }}
        >
          {en.logout}
        </button>
      </div>
    </>
  );
}

function initialsOf(name: string): string {
  return [...name].slice(0, 2).join('').toUpperCase();
}
