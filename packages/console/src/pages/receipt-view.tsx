import type {
  AttemptDocument,
  CallDocument,
  HoldDocument,
  Receipt,
  ReceiptLine,
} from '@model-gateway/server/operations/documents';
import { withQuery } from '../data/with-query.ts';
import { DataTable, type Head } from '../parts/data-table.tsx';
import { Count, ExactUsd, Id, When } from '../parts/values.tsx';
import { Budget } from './receipt-budget.tsx';

export function ReceiptView({ shown }: { readonly shown: Receipt }) {
  return (
    <>
      <CallFacts {...shown.call} />
      <Why shown={shown} />
      {shown.budget !== null && <Budget of={shown.budget} call={shown.call} />}
      {shown.call.state === 'finished' && <Finished call={shown.call} isKept={shown.isKept} />}
    </>
  );
}

function CallFacts(call: CallDocument | HoldDocument) {
  const { app, userId, model, platform, keyId, remote, day, startedAt, scopes = [] } = call;
  const rows: readonly (readonly [string, preact.ComponentChildren])[] = [
    ['State', call.state === 'running' ? 'running' : call.code],
    ['Started', <When key="at" at={startedAt} />],
    ['Day', `${day} UTC`],
    [
      'App',
      <a key="app" href={`/console/apps/${encodeURIComponent(app)}`}>
        {app}
      </a>,
    ],
    ['User', userId ?? '–'],
    ['Model', model],
    ['Platform', platform ?? '–'],
    [
      'Key',
      keyId === null ? (
        '–'
      ) : (
        <a key="key" href={withQuery('/console/calls', { key: keyId })}>
          {keyId}
        </a>
      ),
    ],
    ['Network', remote ?? '–'],
    ['Gateway’s request', <Id key="own" of={call.gatewayRequestId} />],
    ...(call.traceId === undefined
      ? []
      : [['Trace', <Id key="trace" of={call.traceId} />] as const]),
    ...(scopes.length === 0 ? [] : [['Counted in', scopes.join(', ')] as const]),
  ];
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Why({ shown: { call, lines, totalUsd, addsUp, remarks } }: { readonly shown: Receipt }) {
  return (
    <section>
      <h2>
        {totalUsd === null ? 'What it may cost' : 'Why it cost '}
        {totalUsd !== null && <ExactUsd of={totalUsd} />}
      </h2>
      {call.state === 'running' ? (
        <p>
          It is running, and at most <ExactUsd of={call.heldUsd} /> is held for it until{' '}
          <When at={call.expiresAt} />.
        </p>
      ) : (
        <DataTable
          caption="What the cost is made of"
          heads={lineHeads}
          rows={lines}
          keyOf={(line) => `${line.attempt} ${line.kind} ${line.tool}`}
          empty="Nothing was billed for it."
        />
      )}
      {totalUsd !== null && (
        <p class={addsUp ? 'well' : 'warning'}>
          {addsUp
            ? 'Tokens × price, recomputed now, are what was booked.'
            : 'Tokens × price, recomputed now, are not what was booked.'}
        </p>
      )}
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </section>
  );
}

const kinds: Readonly<Record<ReceiptLine['kind'], string>> = {
  input: 'Input',
  cachedInput: 'Input from the cache',
  cacheWriteInput: 'Input written to the cache',
  cacheWrite1hInput: 'Input written to the cache for an hour',
  output: 'Output',
  imageInput: 'Images in the input',
  audioInput: 'Sound in the input',
  reasoning: 'Reasoning',
  imageOutput: 'Images in the output',
  audioOutput: 'Sound in the output',
  request: 'Request',
  toolUse: 'Uses of a tool',
  estimate: 'Estimate',
  corrected: 'Correction',
  other: 'Other',
};

const lineHeads: readonly Head<ReceiptLine>[] = [
  {
    head: 'What',
    cell: ({ kind, tool, attempt }) => (
      <>
        {tool === undefined ? kinds[kind] : `${kinds[kind]}: ${tool}`}
        {attempt !== null && attempt > 1 && <span class="note"> attempt {attempt}</span>}
      </>
    ),
  },
  {
    head: 'Tokens',
    isNumber: true,
    cell: ({ tokens, count = tokens }) => (count === null ? '–' : <Count of={count} />),
  },
  {
    head: 'USD per million',
    isNumber: true,
    cell: ({ usdPerMillion, usdEach }) => (
      <>
        <ExactUsd of={usdEach ?? usdPerMillion} />
        {usdEach !== undefined && <span class="note"> each</span>}
      </>
    ),
  },
  { head: 'USD', isNumber: true, cell: ({ usd }) => <ExactUsd of={usd} /> },
];

interface FinishedProps extends Pick<Receipt, 'isKept'> {
  readonly call: CallDocument;
}

function Finished({ call, isKept }: FinishedProps) {
  const { attempts, corrections, endedAt, basis, estimateReason, requestId } = call;
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Answer</dt>
          <dd>{isKept ? 'kept still, for requests that repeat it' : 'not kept'}</dd>
        </div>
        <div>
          <dt>Ended</dt>
          <dd>
            <When at={endedAt} />
          </dd>
        </div>
        <div>
          <dt>Basis</dt>
          <dd>{estimateReason === null ? basis : `${basis} (${estimateReason})`}</dd>
        </div>
        <div>
          <dt>Platform’s request</dt>
          <dd>
            <Id of={requestId} />
          </dd>
        </div>
      </dl>
      <h2>Attempts</h2>
      <DataTable
        caption="Attempts at the platform"
        heads={attemptHeads}
        rows={attempts}
        keyOf={({ startedAt }) => startedAt}
        empty="It never reached a platform."
      />
      {corrections.length > 0 && <Corrections corrections={corrections} />}
    </>
  );
}

function Corrections({ corrections }: Pick<CallDocument, 'corrections'>) {
  return (
    <section>
      <h2>Corrections</h2>
      <ul>
        {corrections.map(({ at, actor, action, fromUsd, toUsd, reason }) => (
          <li key={at}>
            <When at={at} /> {actor}: {action} <ExactUsd of={fromUsd} /> → <ExactUsd of={toUsd} />
            {reason !== null && ` – ${reason}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

const attemptHeads: readonly Head<AttemptDocument>[] = [
  { head: 'Started', cell: ({ startedAt }) => <When at={startedAt} /> },
  { head: 'Outcome', cell: ({ outcome }) => outcome },
  { head: 'Status', isNumber: true, cell: ({ status }) => status ?? '–' },
  { head: 'Took', isNumber: true, cell: ({ tookMs }) => `${Math.round(tookMs)} ms` },
  { head: 'Model', cell: ({ model }) => model },
  { head: 'Cost', isNumber: true, cell: ({ costUsd }) => <ExactUsd of={costUsd} /> },
  { head: 'Platform’s id', cell: ({ requestId }) => requestId ?? '–' },
];
