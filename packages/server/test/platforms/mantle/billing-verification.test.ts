import { describe, expect, it } from 'vitest';
import type { CatalogModel } from '../../../src/catalog/catalog.ts';
import type { PathFamily } from '../../../src/domain/path-family.ts';
import type { Log } from '../../../src/lib/log.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Send, SendRequest, TransportFailure } from '../../../src/platforms/http/transport.ts';
import { createBillingVerification } from '../../../src/platforms/mantle/billing-verification.ts';
import { createMantleModels } from '../../../src/platforms/mantle/models.ts';
import { createRedact } from '../../../src/platforms/redaction/redact.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { modelRow } from '../support/try-platform.ts';

type Answer = readonly [status: number, body: unknown];

const unknownProject: Answer = [
  404,
  {
    error: {
      code: 'not_found_error',
      type: 'not_found_error',
      message: "Project 'arn:aws:bedrock-mantle:us-east-1:111122223333:project/x' was not found.",
      param: null,
    },
  },
];
const unknownModel: Answer = [
  404,
  { error: { code: 'not_found_error', type: 'not_found_error', message: 'No such model.' } },
];
const wrongPath: Answer = [404, ''];
const completion: Answer = [
  200,
  { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] },
];
const away = Symbol('away');

function row(upstreamModel: string, ...speaks: readonly PathFamily[]): CatalogModel {
  const [first = 'v1-chat', ...others] = speaks;
  return { ...modelRow(upstreamModel), speaks: [first, ...others] };
}

/** A verification over a platform that responds by model. */
function openVerification(
  answerOf: (model: string) => Answer | typeof away,
  listed: unknown = undefined,
) {
  const clock = createTestClock();
  const sent: SendRequest[] = [];
  const warnings: object[] = [];
  const log: Log = { ...silentLog, warn: (fields) => void warnings.push(fields) };
  const send: Send = async (request) => {
    sent.push(request);
    await Promise.resolve();
    const body: unknown = request.body === '' ? {} : JSON.parse(request.body);
    const model: unknown = Object.entries(Object(body)).find(([key]) => key === 'model')?.[1];
    const answer = request.method === 'GET' ? listing(listed) : answerOf(String(model));
    if (answer === away || answerOf('') === away) return failure;
    const [status, value] = answer;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { status, headers: {}, body: Buffer.from(text) };
  };
  const redact = createRedact([]);
  const context = { clock };
  const model = createMantleModels({ context, send, redact });
  const billing = createBillingVerification({ platform: 'bedrock', context, send, model, redact });
  const probes = () => sent.filter(({ method }) => method === 'POST');
  return { clock, log, billing, sent, probes, warnings };
}

const failure: TransportFailure = {
  ...{ kind: 'lost', wasSent: false, causeCode: 'ECONNREFUSED' },
  ...{ message: 'nobody listens', answer: undefined },
};

function listing(listed: unknown): Answer {
  return listed === undefined ? [403, ''] : [200, { object: 'list', data: listed }];
}

describe('a surface', () => {
  it('that rejects an unknown project is verified, with one small call', async () => {
    const { billing, log, probes } = openVerification(() => unknownProject);
    expect(billing.refusal(row('a'))).toMatch(/^platform bedrock has not shown/);
    await billing.start([row('a'), row('b')], log);
    expect(billing.refusal(row('a'))).toBeUndefined();
    expect(probes()).toHaveLength(1);
    expect(JSON.parse(probes()[0]?.body ?? '')).toMatchObject({ model: 'a', max_tokens: 16 });
    expect(probes()[0]?.headers['openai-project']).toMatch(/^proj_[A-Za-z0-9]{1,123}$/);
  });

  it.each<[string, Answer]>([
    ['an answer', completion],
    ['an answer that cannot be read', [200, '<html>']],
    ['an answer that is empty', [200, '']],
  ])('that gives %s discredits the whole platform, and is not called again', async (_, answer) => {
    const { billing, log, probes, clock } = openVerification((id) =>
      id === 'a' ? answer : unknownProject,
    );
    await billing.start([row('a'), row('b', 'openai-v1-chat')], log);
    const why =
      'platform bedrock is not in use; it does not bill calls to the project that they name';
    expect(billing.refusal(row('a'))).toBe(why);
    expect(billing.refusal(row('b', 'openai-v1-chat'))).toBe(why);
    await clock.advance(3_600_000);
    expect(probes()).toHaveLength(2);
  });

  it.each<[string, Answer]>([
    ['a wrong path', wrongPath],
    ['a page of somebody else', [404, '<html>no such project</html>']],
    ['an unknown model', unknownModel],
    ['a key that is not taken', [401, { error: { code: 'invalid_api_key', message: 'project' } }]],
    ['a model that is not enabled', [403, { error: { code: 'access_denied', message: 'no' } }]],
    ['a fault', [503, '']],
  ])('that reports nothing of the project, but of %s, is not verified', async (_, answer) => {
    const { billing, log } = openVerification(() => answer);
    await billing.start([row('a')], log);
    expect(billing.refusal(row('a'))).toContain('has not shown that it bills v1-chat by project: ');
    billing.stop();
  });

  it('is verified on each path of a row', async () => {
    const { billing, log, probes } = openVerification(() => unknownProject);
    await billing.start([row('a', 'v1-chat', 'v1-responses')], log);
    expect(
      probes()
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...['/v1/chat/completions', '/v1/responses']]);
    expect(billing.refusal(row('a', 'v1-chat', 'v1-responses'))).toBeUndefined();
    expect(billing.refusal(row('a', 'v1-responses', 'v1-chat'))).toBeUndefined();
    expect(billing.refusal(row('a', 'openai-v1-chat'))).toContain('so it was not checked');
    billing.stop();
  });

  it('is verified with another model if the first does not exist', async () => {
    const { billing, log, probes } = openVerification((id) =>
      id === 'a' ? unknownModel : unknownProject,
    );
    await billing.start([row('a'), row('b')], log);
    expect(probes()).toHaveLength(2);
    expect(billing.refusal(row('a'))).toBeUndefined();
  });

  it('is verified only with offered models', async () => {
    const listed = [
      { id: 'a', status: 'unavailable' },
      { id: 'b', status: 'available' },
    ];
    const { billing, log, probes } = openVerification(() => unknownProject, listed);
    await billing.start([row('a'), row('b'), row('c', 'openai-v1-chat')], log);
    expect(probes().map(({ body }) => JSON.parse(body).model)).toEqual(['b']);
    expect(billing.refusal(row('c', 'openai-v1-chat'))).toContain(
      'the platform offers none of its models',
    );
    billing.stop();
  });

  it('without a row is not called, and serves no calls', async () => {
    const { billing, log, probes } = openVerification(() => unknownProject);
    await billing.start([], log);
    expect(probes()).toEqual([]);
    expect(billing.refusal(modelRow('unlisted'))).toContain('no model of the catalog is on it');
  });
});

describe('a platform that cannot be reached', () => {
  it('is retried until it is back, and reported as unreachable once', async () => {
    let isAway = true;
    const { billing, log, clock, warnings } = openVerification(() =>
      isAway ? away : unknownProject,
    );
    await billing.start([row('a')], log);
    expect(billing.refusal(row('a'))).toContain('ECONNREFUSED: nobody listens');
    await clock.advance(120_000);
    expect(warnings).toHaveLength(1);
    isAway = false;
    await clock.advance(60_000);
    expect(billing.refusal(row('a'))).toBeUndefined();
  });

  it('is waited for 5 s at the start, if it does not even reject', async () => {
    const clock = createTestClock();
    const send: Send = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(failure));
      });
    const redact = createRedact([]);
    const context = { clock };
    const model = createMantleModels({ context, send, redact });
    const billing = createBillingVerification({
      platform: 'bedrock',
      context,
      send,
      model,
      redact,
    });
    const startedMs = clock.monotonic();
    await clock.run(billing.start([row('a')], silentLog));
    expect(clock.monotonic() - startedMs).toBe(5_000);
    billing.stop();
  });

  it('is not retried after the service stops', async () => {
    const { billing, log, clock, sent } = openVerification(() => away);
    await billing.start([row('a')], log);
    const before = sent.length;
    billing.stop();
    await clock.advance(3_600_000);
    expect(sent).toHaveLength(before);
  });
});
