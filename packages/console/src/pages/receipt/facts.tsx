import type { Receipt } from '@model-gateway/server/operations/documents';
import { Fragment } from 'preact';
import { withQuery } from '../../data/with-query.ts';
import { ExactUsd, Id, Name, When } from '../../parts/values.tsx';

type Fact = readonly [term: string, value: preact.ComponentChildren];

/** Unknown facts are left out. */
export function Facts({ of }: { readonly of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([term, value]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** The app, model, user and key, as links. */
export function callerFacts({ call }: Receipt): readonly Fact[] {
  const { app, model, platform, userId, keyId, remote } = call;
  return [
    [
      'App',
      <a key="app" href={`/console/apps/${encodeURIComponent(app)}`}>
        <Name of={app} />
      </a>,
    ],
    ['Model', <Name key="model" of={model} />],
    ['Platform', platform && <Name of={platform} />],
    [
      'User',
      userId && (
        <a href={withQuery('/console/calls', { app, user: userId })}>
          <Name of={userId} />
        </a>
      ),
    ],
    [
      'Key',
      keyId && (
        <a href={withQuery('/console/calls', { key: keyId })}>
          <Name of={keyId} />
        </a>
      ),
    ],
    ['Network', remote],
  ];
}

export function moreFacts({ call, isStored }: Receipt): readonly Fact[] {
  const { day, scopes = [] } = call;
  const counted: Fact = ['Budgets', scopes.length === 0 ? null : scopes.join(', ')];
  const always: readonly Fact[] = [['Day', `${day} UTC`], counted];
  if (call.state === 'running') return always;
  const { basis, estimateReason, endedAt } = call;
  return [
    ...always,
    ['Ended', <When key="ended" at={endedAt} />],
    ['Basis', estimateReason === null ? basis : `${basis} (${estimateReason})`],
    ['Response', isStored ? 'stored for idempotent retries' : 'not stored'],
  ];
}

export function idFacts({ call }: Receipt): readonly Fact[] {
  const { id, gatewayRequestId, traceId } = call;
  return [
    ['Call', <Id key="call" of={id} />],
    ['Request', gatewayRequestId && <Id of={gatewayRequestId} />],
    ['Trace', traceId && <Id of={traceId} />],
    [
      'Platform request id',
      call.state === 'finished' && call.requestId ? <Id of={call.requestId} /> : null,
    ],
  ];
}

/** The call's reservation, and the released part of it. */
export function heldFact({ budget }: Receipt): Fact {
  if (budget === null || budget.heldUsd === null) return ['Reserved', null];
  return [
    'Reserved → released',
    <>
      <ExactUsd of={budget.heldUsd} /> → <ExactUsd of={budget.freedUsd} />
    </>,
  ];
}
