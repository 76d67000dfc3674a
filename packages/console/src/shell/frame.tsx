import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary, useLocation } from 'preact-iso';
import { send } from '../data/client.ts';
import { listen } from '../data/live.ts';
import { forgetAll, markChanged, startPolling } from '../data/read.ts';
import { keepSecret } from '../data/secret.ts';
import { useMay, useWho } from '../data/who.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckField } from '../parts/fields.tsx';
import { en } from '../text/en.ts';
import { Finder } from './finder.tsx';
import { Pages } from './pages.tsx';
import { useShortcuts } from './shortcuts.ts';
import { areKeysOn, setKeysOn, ThemeChoice } from './theme.tsx';

/** A link with an action is shown only to roles that may do it. */
const links = [
  ['today', '/console/'],
  ['spend', '/console/spend'],
  ['calls', '/console/calls'],
  ['apps', '/console/apps'],
  ['keys', '/console/keys'],
  ['models', '/console/models'],
  ['health', '/console/health'],
  ['reconcile', '/console/reconcile', 'money'],
  ['activity', '/console/activity'],
  ['access', '/console/access', 'access'],
] as const;

export function Frame({ onLogout }: { readonly onLogout: () => void }) {
  const [opened, open] = useState<'finder' | 'help'>();
  const isLive = useLive();
  useShortcuts({ find: () => open('finder'), help: () => open('help') });
  const close = () => open(undefined);
  return (
    <>
      <a class="skip" href="#content">
        {en.skip}
      </a>
      <nav aria-label={en.name}>
        <strong>{en.name}</strong>
        <Links />
        <button type="button" onClick={() => open('finder')}>
          {en.finder.title} <kbd>/</kbd>
        </button>
        <button type="button" onClick={() => open('help')}>
          {en.help.title} <kbd>?</kbd>
        </button>
        <p class="live" data-live={isLive}>
          {isLive ? en.live : en.notLive}
        </p>
        <ThemeChoice />
        <Me onLogout={onLogout} />
      </nav>
      <main id="content" tabIndex={-1}>
        <ErrorBoundary>
          <Pages />
        </ErrorBoundary>
      </main>
      {opened === 'finder' && <Finder onClose={close} />}
      {opened === 'help' && <Help onClose={close} />}
    </>
  );
}

function Links() {
  return (
    <ul>
      {links.map(([page, href, action]) => (
        <PageLink key={page} page={page} href={href} action={action} />
      ))}
    </ul>
  );
}

interface LinkProps {
  readonly page: (typeof links)[number][0];
  readonly href: string;
  readonly action: string | undefined;
}

function PageLink({ page, href, action }: LinkProps) {
  const { path } = useLocation();
  const may = useMay(action ?? '') || action === undefined;
  // Invoices concern every app.
  const isLimited = useWho()?.apps != null;
  if (!may || (isLimited && page === 'reconcile')) return null;
  const isHere = href === '/console/' ? /^\/console\/?$/.test(path) : path.startsWith(href);
  return (
    <li>
      <a href={href} aria-current={isHere ? 'page' : undefined}>
        {en.pages[page]}
      </a>
    </li>
  );
}

function Me({ onLogout }: { readonly onLogout: () => void }) {
  const { name, role } = useWho() ?? {};
  return (
    <p class="me">
      {name} <span class="note">{role}</span>
      <button
        type="button"
        onClick={async () => {
          await send('DELETE', '/session', {}).catch(() => undefined);
          forgetAll();
          keepSecret(null);
          onLogout();
        }}
      >
        {en.logout}
      </button>
    </p>
  );
}

function useLive(): boolean {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const stopListening = whileVisible(() =>
      listen({
        onChange: markChanged,
        onState(state) {
          setLive(state);
          // What happened while no page listened is not told again.
          if (state) markChanged();
        },
      }),
    );
    const stopPolling = startPolling();
    return () => {
      stopListening();
      stopPolling();
    };
  }, []);
  return isLive;
}

/** A hidden page needs no stream, and a service has few of them. The returned function ends it. */
export function whileVisible(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const follow = () => {
    if (document.visibilityState === 'hidden') {
      end?.();
      end = undefined;
    } else end ??= begin();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    end?.();
  };
}

function Help({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn());
  return (
    <Dialog title={en.help.title} onClose={onClose}>
      <dl class="facts">
        {en.help.rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <CheckField
        label={en.help.enable}
        value={isOn}
        set={(next) => {
          setKeysOn(next);
          setOn(next);
        }}
      />
    </Dialog>
  );
}
