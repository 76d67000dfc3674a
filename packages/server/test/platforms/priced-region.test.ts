import { expect, it } from 'vitest';
import { createAnthropic } from '../../src/platforms/kinds/anthropic.ts';
import { answering, startScriptedServer } from './support/scripted-server.ts';
import { attemptOn, modelRow, testContext } from './support/try-platform.ts';

const newer = ['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-haiku-5-5', 'claude-fable-5-2'];
const older = [
  ...['claude-3-5-haiku-latest', 'claude-3-opus-20240229', 'claude-opus-4-20250514'],
  ...['claude-opus-4-1', 'claude-sonnet-4-5-20250929', 'claude-haiku-4-5'],
];

// Models before Claude Opus 4.6 return 400 for a request that names a region.
it.each([...newer.map((model) => [model, 'global']), ...older.map((model) => [model, undefined])])(
  'a request for %s names the region %s',
  async (model, region) => {
    const server = await startScriptedServer(answering(200, '{}'));
    const options = { name: 'claude', kind: 'anthropic', baseUrl: server.url } as const;
    const platform = createAnthropic({ ...options, apiKey: 'sk-ant-api-key' }, testContext);
    await attemptOn(platform, { model: platform.model(modelRow(model ?? '')), projectId: 'w_1' });
    const sent = JSON.parse(server.requests[0]?.body ?? '');
    expect([sent.model, sent.inference_geo]).toEqual([model, region]);
    await platform.close();
    await server.close();
  },
);
