import { expect, it } from 'vitest';
import { ResponseFold } from '../../src/platforms/wires/openai-responses/fold-events.ts';
import { responsesSubject } from './support/openai-response.ts';
import { answering } from './support/scripted-server.ts';
import { attemptAgainst, attemptOn, modelRow, smallRequest } from './support/try-platform.ts';

const said = (extra: Readonly<Record<string, unknown>>) =>
  answering(200, JSON.stringify(responsesSubject.answer({ extra })));
const against = attemptAgainst.bind(undefined, responsesSubject.platformAt);
const message = (text: string, more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
});

it.each([
  ['incomplete', { reason: 'something_new' }, 'other', 'something_new'],
  ['incomplete', null, 'other', 'incomplete'],
  ['incomplete', { reason: 7 }, 'other', 'incomplete'],
  ['completed', 'odd', 'stop', 'completed'],
])('a response that is %s for %j finished with %s', async (...row) => {
  const [status, incomplete_details, finish, finishRaw] = row;
  const outcome = await against(said({ status, incomplete_details }));
  expect(outcome).toMatchObject({ kind: 'answered', finish, finishRaw });
});

it('a refusal is the text, and its finish reason is filtered', async () => {
  const output = [message('', { content: [{ type: 'refusal', refusal: 'I cannot.' }] })];
  expect(await against(said({ output }))).toMatchObject({
    content: [{ type: 'text', text: 'I cannot.' }],
    finish: 'content-filter',
  });
});

it('unknown items and parts do no harm', async () => {
  const output = [
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { type: 'something_new' },
    message('', {
      content: [
        { type: 'sound', data: 'a' },
        { type: 'output_text', text: 'Hi.' },
      ],
    }),
  ];
  const content = [{ type: 'text', text: 'Hi.' }];
  expect(await against(said({ output }))).toMatchObject({ content, finish: 'stop' });
});

it('of an object, the last final message counts where the messages show it', async () => {
  const output = [
    message('I shall think.', { phase: 'commentary' }),
    message('{"a":1}', { phase: 'final_answer' }),
  ];
  const request = { ...smallRequest, json: {} };
  const object = await against(said({ output }), { request });
  expect(object).toMatchObject({ content: [{ type: 'text', text: '{"a":1}' }] });
  const chat = await against(said({ output }));
  expect(chat).toMatchObject({ content: [{ text: 'I shall think.' }, { text: '{"a":1}' }] });
});

it.each([
  ['stop sequences', 'test-model', { stop: ['END'] }],
  ['a temperature of a model that has none', 'gpt-5', { temperature: 0.5 }],
])('%s are rejected, not dropped', async (_, id, settings) => {
  const request = { ...smallRequest, ...settings };
  const platform = responsesSubject.platformAt('http://127.0.0.1:1');
  const outcome = await attemptOn(platform, { model: platform.model(modelRow(id)), request });
  expect(outcome).toMatchObject({ code: 'BAD_REQUEST', billed: 'no', isRetryable: false });
  await platform.close();
});

it('an empty list of stop sequences is not rejected', async () => {
  const request = { ...smallRequest, stop: [] };
  expect(await against(said({}), { request })).toMatchObject({ kind: 'answered' });
});

it.each([
  ['completed', 'end'],
  ['incomplete', 'end'],
  ['failed', { failed: { status: 'failed', output: [] }, isLastEvent: true }],
  ['in_progress', 'more'],
  [undefined, 'more'],
])('an event `response.done` of a response that is %s', (status, step) => {
  const fold = new ResponseFold({ isJson: false, isRelayed: false }, 1, () => undefined);
  const event = { type: 'response.done', response: { status, output: [] } };
  expect(fold.read(event, '', JSON.stringify(event))).toEqual(step);
});
