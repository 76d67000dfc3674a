import type { CatalogModel } from '../../../src/catalog/catalog.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { createOpenAiCompatible } from '../../../src/platforms/kinds/openai-compatible.ts';
import type { ModelRequest } from '../../../src/platforms/model/model-request.ts';
import type {
  AttemptOptions,
  AttemptOutcome,
  ModelPort,
  Platform,
  PlatformContext,
  Sentences,
} from '../../../src/platforms/model/port.ts';
import { type Script, startScriptedServer } from './scripted-server.ts';

/** The time of every test attempt. */
export const testNowMs = Date.UTC(2026, 10, 21, 12);

/** The machine's clock, except for the time of day. */
export const testClock: Clock = { ...systemClock, now: () => testNowMs };

/** The environment of every platform under test. */
export const testContext: PlatformContext = { clock: testClock };

export const testApiKey = 'secret-key-of-the-platform';

/** The project that every test attempt is billed to, if the platform has projects. */
export const testProjectId = 'proj_test';

/** A model without a catalog row. */
export function modelRow(upstreamModel: string): CatalogModel {
  return {
    id: upstreamModel,
    platform: 'local',
    upstreamModel,
    structuredOutput: 'json-schema',
    images: false,
    imageTokensMax: 20_000,
    isListed: false,
  };
}

export const smallRequest: ModelRequest = {
  messages: [{ role: 'user', content: 'Say hello.' }],
  maxTokens: 64,
};

/** A test's changes of its attempt; all else is that of the smallest chat. */
export interface Tried extends Partial<AttemptOptions> {
  readonly model?: ModelPort;
  readonly request?: ModelRequest;
}

/** One attempt of the smallest chat. */
export function attemptOn(
  platform: Platform,
  { model, request = smallRequest, ...options }: Tried = {},
  sentences: Sentences = 'logged',
): Promise<AttemptOutcome> {
  const port = model ?? platform.model(modelRow('test-model'));
  return port.attempt(request, {
    projectId: testProjectId,
    signal: new AbortController().signal,
    sentences,
    ...options,
  });
}

/** One attempt at a server that follows a script. */
export async function attemptAgainst(
  platformAt: (url: string) => Platform,
  script: Script,
  tried: Tried = {},
  sentences: Sentences = 'logged',
): Promise<AttemptOutcome> {
  const server = await startScriptedServer(script);
  const platform = platformAt(server.url);
  const outcome = await attemptOn(platform, tried, sentences);
  await platform.close();
  await server.close();
  return outcome;
}

export function openAiCompatibleAt(url: string): Platform {
  const config = { name: 'local', kind: 'openai-compatible', apiKey: testApiKey } as const;
  return madeOf(createOpenAiCompatible({ ...config, baseUrl: `${url}/v1` }, testContext));
}

/** Throws the reason why there is none. */
export function madeOf(platform: Platform | string): Platform {
  if (typeof platform === 'string') throw new Error(platform);
  return platform;
}
