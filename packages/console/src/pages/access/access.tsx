import { PageHead } from '../../parts/page-head.tsx';
import { When } from '../../parts/values.tsx';
import { useMay, useWho } from '../../shell/who.ts';
import { Roles } from './roles.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

export function AccessView() {
  const mayAccess = useMay('access');
  const session = useWho();
  return (
    <>
      <PageHead title="Access" />
      {session !== undefined && (
        <p>
          You are {session.name}, {session.role}
          {session.apps !== null && ` of ${session.apps.join(', ')}`}, until{' '}
          <When at={session.expiresAt} />.
        </p>
      )}
      {mayAccess && (
        <>
          <Sessions />
          <Tokens />
        </>
      )}
      <Roles />
      <Webhooks />
    </>
  );
}
