import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { read, send } from '../data/client.ts';
import { failureOf } from '../data/failure.ts';
import { storeSecret } from '../data/secret.ts';
import type { Session } from '../data/session.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Alert } from '../parts/states.tsx';
import { en } from '../text/en.ts';
import { Brand } from './brand.tsx';

/** With the secret that its page stores. */
type LoggedIn = Session & { readonly pageSecret: string | null };

interface LoginProps {
  readonly hasEnded: boolean;
  /** Whether a page with typed input waits below. */
  readonly isOver: boolean;
  readonly hasCompanyLogin: boolean;
  readonly onLogin: (session: Session) => void;
}

/** A code in a link is behind `#`, which no log contains; it leaves the address first. */
export function Login({ hasEnded, isOver, hasCompanyLogin, onLogin }: LoginProps) {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (code: string) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { pageSecret, ...session } = await send<LoggedIn>('POST', '/session', { code });
      storeSecret(pageSecret);
      onLogin(session);
    } catch (error) {
      setFailure(failureOf(error).message);
      setBusy(false);
    }
  };
  useEffect(() => {
    const code = takeCode();
    if (code !== undefined) void submit(code);
  }, []);
  const note = isOver ? en.login.kept : hasEnded ? en.login.ended : en.login.note;
  const Screen = isOver ? Over : Entry;
  return (
    <Screen>
      <PageHead title={en.login.title} note={note} />
      {failure !== undefined && <Alert tone="bad">{failure}</Alert>}
      {hasCompanyLogin && <CompanyLogin isOver={isOver} onLogin={onLogin} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const code = new FormData(event.currentTarget).get('code');
          if (typeof code === 'string') void submit(code.trim().replace(/^.*#code=/, ''));
        }}
      >
        <label class="field">
          {en.login.code}
          <input name="code" type="text" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit" class={hasCompanyLogin ? '' : 'primary'} disabled={isBusy}>
          {en.login.submit}
        </button>
      </form>
      <footer>
        <p>{en.login.how}</p>
        <p class="command">
          <code>{en.login.command}</code>
          <CopyButton text={en.login.command} what={en.login.command} />
        </p>
      </footer>
    </Screen>
  );
}

interface ScreenProps {
  readonly children: ComponentChildren;
}

/** A screen without a page: the login, or the reason for its absence. */
export function Entry({ children }: ScreenProps) {
  return (
    <main class="login">
      <Brand />
      <div class="card">{children}</div>
    </main>
  );
}

/** Above the page and its open dialog, which stay unchanged; Escape does not close it. */
function Over({ children }: ScreenProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="login"
      aria-label={en.login.title}
      onClose={({ currentTarget }) => currentTarget.showModal()}
    >
      {children}
    </dialog>
  );
}

/** Leaves the page, unless it has typed input: then another tab logs in for both. */
function CompanyLogin({ isOver, onLogin }: Pick<LoginProps, 'isOver' | 'onLogin'>) {
  useEffect(() => {
    if (!isOver) return undefined;
    const readSession = () =>
      void read<Session>('/session').then(
        ({ data }) => onLogin(data),
        () => undefined,
      );
    addEventListener('focus', readSession);
    return () => removeEventListener('focus', readSession);
  }, [isOver]);
  const back = isOver ? '/console/' : location.pathname + location.search;
  return (
    <>
      <a
        class="button primary"
        href={`/admin/v1/login/oidc?back=${encodeURIComponent(back)}`}
        rel="external"
        target={isOver ? '_blank' : '_self'}
      >
        {en.login.company}
      </a>
      {isOver && <p class="note">{en.login.tab}</p>}
    </>
  );
}

function takeCode(): string | undefined {
  const [, code] = /^#code=(\w+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}
