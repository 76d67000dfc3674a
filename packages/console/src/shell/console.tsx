import { useLayoutEffect, useState } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { onSignedOut, read } from '../data/client.ts';
import { type Failure, failureOf } from '../data/failure.ts';
import { clearAll, markChanged } from '../data/read.ts';
import { storeSecret, takeSecret } from '../data/secret.ts';
import { type Session, SessionContext } from '../data/session.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Alert } from '../parts/states.tsx';
import { en } from '../text/en.ts';
import { Brand } from './brand.tsx';
import { Frame } from './frame.tsx';
import { Entry, Login } from './login.tsx';

/** Either a session or the reason for its absence; both after a session that has ended. */
interface SessionState {
  readonly session?: Session;
  readonly failure?: Failure;
  readonly hasEnded: boolean;
}

export function Console() {
  const [sessionState, setSessionState] = useState<SessionState>();
  const followSession = () =>
    onSignedOut(() => {
      setSessionState((was) => {
        if (was?.session !== undefined && isTyped()) return { ...was, hasEnded: true };
        clearAll();
        return { hasEnded: true };
      });
      // The rejection has the ways to log in.
      void readSession().then(({ failure }) => {
        if (failure?.status !== 401) return;
        setSessionState((was) => (was?.hasEnded === true ? { ...was, failure } : was));
      });
    });
  // Before a frame is drawn: each page waits for the session.
  useLayoutEffect(() => {
    followSession();
    void enter().then(setSessionState);
  }, []);
  if (sessionState === undefined) return <Opening />;
  const { session, failure, hasEnded } = sessionState;
  if (session === undefined && failure !== undefined && failure.status !== 401) {
    return <Failed failure={failure} again={() => void readSession().then(setSessionState)} />;
  }
  return (
    <>
      {session !== undefined && (
        <SessionContext.Provider key={session.name} value={session}>
          <LocationProvider scope="/console">
            <Frame onLogout={() => setSessionState({ hasEnded: false })} />
          </LocationProvider>
        </SessionContext.Provider>
      )}
      {(session === undefined || hasEnded) && (
        <Login
          hasEnded={hasEnded}
          isOver={session !== undefined}
          hasCompanyLogin={offersCompanyLogin(failure)}
          onLogin={(mine) => {
            if (location.pathname.endsWith('/login')) history.replaceState(null, '', '/console/');
            followSession();
            // Another person must not see this one's documents; the same person sees them
            // unchanged.
            if (session?.name !== mine.name) clearAll();
            else markChanged();
            setSessionState({ session: mine, hasEnded: false });
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

/** Another site's link can carry a secret too: it must not replace a session's secret. */
async function enter(): Promise<SessionState> {
  const secret = takeSecret();
  const sessionState = await readSession();
  if (secret === undefined || sessionState.failure?.status !== 401) return sessionState;
  storeSecret(secret);
  return readSession();
}

async function readSession(): Promise<SessionState> {
  try {
    return { session: (await read<Session>('/session')).data, hasEnded: false };
  } catch (error) {
    return { failure: failureOf(error), hasEnded: false };
  }
}

/** Only the rejection contains this: before a login the page reads nothing else. */
function offersCompanyLogin(failure: Failure | undefined): boolean {
  const { now } = failure ?? {};
  return typeof now === 'object' && now !== null && 'oidc' in now && now.oidc === true;
}
