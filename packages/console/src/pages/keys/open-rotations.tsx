import type { KeyCounts } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { Alert } from '../../parts/states.tsx';
import { When } from '../../parts/values.tsx';
import { rotationOf } from './key-menu.tsx';

interface RotationsProps {
  readonly of: KeyCounts['openRotations'];
}

/** Replaced keys that still work. */
export function OpenRotations({ of: { count, first } }: RotationsProps) {
  const id = first[0]?.id;
  if (id === undefined) return null;
  return (
    <Alert
      tone="warn"
      actions={
        <>
          <a class="button small" href={withQuery('/console/calls', { key: id })}>
            Show calls
          </a>
          {count === 1 ? (
            <a class="button small" href={rotationOf(id)}>
              Continue
            </a>
          ) : (
            <a class="button small" href="/console/keys?state=rotating">
              Show all
            </a>
          )}
        </>
      }
    >
      <b>
        {count === 1
          ? '1 key rotation is not finished.'
          : `${count.toLocaleString('en')} key rotations are not finished.`}
      </b>
      {first.map((each) => (
        <Open key={each.id} of={each} />
      ))}
    </Alert>
  );
}

function Open({ of }: { readonly of: RotationsProps['of']['first'][number] }) {
  const { id, app, lastUsedAt, expiresAt } = of;
  return (
    <>
      {' '}
      Key {id} of {app}{' '}
      {lastUsedAt === null ? (
        'was never used'
      ) : (
        <>
          was last used <When at={lastUsedAt} />
        </>
      )}{' '}
      {expiresAt === null ? (
        'and works until you disable it.'
      ) : (
        <>
          and stops working <When at={expiresAt} />.
        </>
      )}
    </>
  );
}
