import { useLayoutEffect, useState } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { onSignedOut, read } from '../data/client.ts';
import { type Failure, failureOf } from '../data/failure.ts';
import { forgetAll, markChanged } from '../data/read.ts';
import { keepSecret, takeSecret } from '../data/secret.ts';
import { type Session, Who } from '../data/who.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Alert } from '../parts/states.tsx';
import { en } from '../text/en.ts';
import { Brand } from './brand.tsx';
import { Frame } from './frame.tsx';
import { Entry, Login } from './login.tsx';

/** Either a session or the reason that there is none, and both after one that has ended. */
interface Known {
  readonly session?: Session;
  readonly failure?: Failure;
  readonly hasEnded: boolean;
}

export function Console() {
  const [known, know] = useState<Known>();
  const followSession = () =>
    onSignedOut(() => {
      know((was) => {
        if (was?.session !== undefined && isTyped()) return { ...was, hasEnded: true };
        forgetAll();
        return { hasEnded: true };
      });
      // The refusal has the ways to log in.
      void look().then(({ failure }) => {
        if (failure?.status !== 401) return;
        know((was) => (was?.hasEnded === true ? { ...was, failure } : was));
      });
    });
  // Before a frame is drawn: each page waits for the session.
  useLayoutEffect(() => {
    followSession();
    void enter().then(know);
  }, []);
  if (known === undefined) return <Opening />;
  const { session, failure, hasEnded } = known;
  if (session === undefined && failure !== undefined && failure.status !== 401) {
    return <Failed failure={failure} again={() => void look().then(know)} />;
  }
  return (
    <>
      {session !== undefined && (
        <Who.Provider key={session.name} value={session}>
          <LocationProvider scope="/console">
            <Frame onLogout={() => know({ hasEnded: false })} />
          </LocationProvider>
        </Who.Provider>
      )}
      {(session === undefined || hasEnded) && (
        <Login
          hasEnded={hasEnded}
          isOver={session !== undefined}
          hasCompanyLogin={offersCompanyLogin(failure)}
          onLogin={(mine) => {
            if (location.pathname.endsWith('/login')) history.replaceState(null, '', '/console/');
            followSession();
            // Another person must not see what this one read, and the same one sees it as it is.
            if (session?.name !== mine.name) forgetAll();
            else markChanged();
            know({ session: mine, hasEnded: false });
          }}
        />
      )}
    </>
  );
}

/** Whether a dialog has input that a login must not lose. */
function isTyped(): boolean {
  return document.querySelector('main dialog') !== null;
}

function Opening() {
  return (
    <output class="loading">
      <Brand />
      <span class="hide">{en.loading}</span>
    </output>
  );
}

function Failed({ failure, again }: { readonly failure: Failure; readonly again: () => void }) {
  return (
    <Entry>
      <PageHead title={en.failure.title} />
      <Alert tone="bad">{failure.message}</Alert>
      <button type="button" class="primary" onClick={again}>
        {en.again}
      </button>
    </Entry>
  );
}

/** Another site's link can carry a secret, too: it must not replace a session's secret. */
async function enter(): Promise<Known> {
  const secret = takeSecret();
  const known = await look();
  if (secret === undefined || known.failure?.status !== 401) return known;
  keepSecret(secret);
  return look();
}

async function look(): Promise<Known> {
  try {
    return { session: (await read<Session>('/session')).data, hasEnded: false };
  } catch (error) {
    return { failure: failureOf(error), hasEnded: false };
  }
}

/** Part of the refusal: there is no login to ask. */
function offersCompanyLogin(failure: Failure | undefined): boolean {
  const { now } = failure ?? {};
  return typeof now === 'object' && now !== null && 'oidc' in now && now.oidc === true;
}
