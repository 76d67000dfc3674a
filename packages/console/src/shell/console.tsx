import { useEffect, useState } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { onSignedOut, read } from '../data/client.ts';
import { type Failure, failureOf } from '../data/failure.ts';
import { forgetAll } from '../data/read.ts';
import { keepSecret, takeSecret } from '../data/secret.ts';
import { type Session, Who } from '../data/who.ts';
import { en } from '../text/en.ts';
import { Frame } from './frame.tsx';
import { Login } from './login.tsx';

/** Empty before the first answer; then either a session or none. */
interface Known {
  readonly session?: Session;
  readonly failure?: Failure;
  readonly hasEnded: boolean;
}

export function Console() {
  const [known, know] = useState<Known>();
  useEffect(() => {
    onSignedOut(() => {
      forgetAll();
      know({ hasEnded: true });
    });
    void enter().then(know);
  }, []);
  if (known === undefined) return <output class="loading">{en.loading}</output>;
  const { session, failure, hasEnded } = known;
  if (session === undefined && failure !== undefined && failure.status !== 401) {
    return (
      <main>
        <p role="alert" class="failure">
          {failure.message}
        </p>
        <button type="button" onClick={() => void look().then(know)}>
          {en.again}
        </button>
      </main>
    );
  }
  if (session === undefined) {
    return (
      <Login
        hasEnded={hasEnded}
        hasCompanyLogin={offersCompanyLogin(failure)}
        onLogin={(mine) => {
          if (location.pathname.endsWith('/login')) history.replaceState(null, '', '/console/');
          know({ session: mine, hasEnded: false });
        }}
      />
    );
  }
  return (
    <Who.Provider value={session}>
      <LocationProvider scope="/console">
        <Frame onLogout={() => know({ hasEnded: false })} />
      </LocationProvider>
    </Who.Provider>
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
