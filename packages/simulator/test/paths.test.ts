import { describe, expect, it } from 'vitest';
import { answerOf, asking, open } from './open.ts';

describe('a model with its own root', () => {
  it.each([
    ['sim-v1-only', '/v1/chat/completions', '/openai/v1/chat/completions'],
    ['sim-openai-v1-only', '/openai/v1/chat/completions', '/v1/chat/completions'],
  ])('%s responds only on %s', async (model, here, elsewhere) => {
    const { chat, simulator } = open();
    expect(await answerOf(await chat(asking(model), { path: here }))).toMatchObject({
      status: 200,
    });
    expect(await answerOf(await chat(asking(model), { path: elsewhere }))).toMatchObject({
      status: 400,
      errorCode: 'validation_error',
      errorMessage: `model '${model}' isn't supported on this route`,
    });
    expect(simulator.bill().total.calls).toBe(1);
  });

  it('serves Anthropic messages too', async () => {
    const { message } = open();
    const response = await message({ ...asking('sim-openai-v1-only'), max_tokens: 64 });
    expect(response.status).toBe(200);
  });
});

describe('every response', () => {
  it.each([
    ['POST', '/v1/chat/completions', 400],
    ['GET', '/v1/models', 200],
    ['GET', '/openai/v1/models', 404],
    ['GET', '/v1/organization/projects', 200],
  ])('to %s %s has the front end’s id', async (method, path, status) => {
    const response = await open().send(method, path, method === 'POST' ? {} : undefined);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^req_/);
  });

  it('to a wrong path is an empty 404', async () => {
    const response = await open().send('POST', '/openai/v1/organization/projects', { name: 'a' });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  });
});

describe('with a check of bearers', () => {
  const paths = ['/v1/models', '/v1/chat/completions', '/v1/organization/projects'];
  it.each(paths)('%s is for the accepted ones', async (path) => {
    const { simulator } = open({ takesBearer: (bearer) => bearer === 'good' });
    const statusWith = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await simulator.fetch(new Request(`http://sim.test${path}`, { headers }));
      return response.status;
    };
    expect(await statusWith()).toBe(401);
    expect(await statusWith('Bearer bad')).toBe(401);
    expect(await statusWith('Basic good')).toBe(401);
    expect(await statusWith('Bearer good')).not.toBe(401);
  });

  it('a rejection has the shape of its surface', async () => {
    const { chat, message } = open({ takesBearer: () => false });
    expect(await answerOf(await chat(asking('sim-echo')))).toMatchObject({
      status: 401,
      errorCode: 'invalid_api_key',
    });
    expect(await (await message(asking('sim-echo'))).json()).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    });
  });

  it('the bill is for everybody', async () => {
    const { send } = open({ takesBearer: () => false });
    expect((await send('GET', '/simulator/bill')).status).toBe(200);
  });
});
