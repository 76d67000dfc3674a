import { useEffect, useState } from 'preact/hooks';
import { send } from '../data/client.ts';
import { failureOf } from '../data/failure.ts';
import { keepSecret } from '../data/secret.ts';
import type { Session } from '../data/who.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { en } from '../text/en.ts';

/** With the secret that its page keeps. */
type LoggedIn = Session & { readonly pageSecret: string | null };

interface LoginProps {
  readonly hasEnded: boolean;
  readonly hasCompanyLogin: boolean;
  readonly onLogin: (session: Session) => void;
}

/** A code in a link is behind `#`, which no log has; it leaves the address first. */
export function Login({ hasEnded, hasCompanyLogin, onLogin }: LoginProps) {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (code: string) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { pageSecret, ...session } = await send<LoggedIn>('POST', '/session', { code });
      keepSecret(pageSecret);
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
  return (
    <main class="login">
      <PageHead title={en.login.title} note={hasEnded ? en.login.ended : en.name} />
      {failure !== undefined && (
        <p role="alert" class="failure">
          {failure}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const code = new FormData(event.currentTarget).get('code');
          if (typeof code === 'string') void submit(code.trim().replace(/^.*#code=/, ''));
        }}
      >
        <label>
          {en.login.code}
          <input name="code" type="text" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {en.login.submit}
        </button>
      </form>
      <p>{en.login.how}</p>
      <p class="command">
        <code>{en.login.command}</code>{' '}
        <CopyButton text={en.login.command} what={en.login.command} />
      </p>
      {hasCompanyLogin && (
        <p>
          <a
            href={`/admin/v1/login/oidc?back=${encodeURIComponent(location.pathname + location.search)}`}
            rel="external"
            target="_self"
          >
            {en.login.company}
          </a>
        </p>
      )}
    </main>
  );
}

function takeCode(): string | undefined {
  const [, code] = /^#code=(\w+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}
