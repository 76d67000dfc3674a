import type { CatalogModel } from '../../../src/catalog/catalog.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { createAttempt, type Sentences } from '../../../src/platforms/attempt.ts';
import { createOpenAiCompatible } from '../../../src/platforms/openai-compatible.ts';
import type { AttemptOutcome, AttemptRequest, Platform } from '../../../src/platforms/port.ts';
import { type Script, startScriptedServer } from './scripted-server.ts';

/** The moment at which every test attempt is made. */
export const testNowMs = Date.UTC(2026, 10, 21, 12);

/** The machine's clock, but for the time of day. */
export const testClock: Clock = { ...systemClock, now: () => testNowMs };

export const testApiKey = 'secret-key-of-the-platform';

/** The project that every test attempt is billed to, where the platform has projects. */
export const testProjectId = 'proj_test';

/** A model that no row of the catalog names. */
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

/** The smallest chat. */
export const smallOptions: AttemptRequest['options'] = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
  maxOutputTokens: 64,
};

/** One attempt of the smallest chat. */
export function attemptOn(
  platform: Platform,
  request: Partial<AttemptRequest> = {},
  sentences: Sentences = 'logged',
): Promise<AttemptOutcome> {
  return createAttempt({ clock: testClock, sentences })({
    model: platform.model(modelRow('test-model')),
    options: smallOptions,
    projectId: testProjectId,
    signal: new AbortController().signal,
    ...request,
  });
}

/** One attempt at a server that follows a script. */
export async function attemptAgainst(
  platformAt: (url: string) => Platform,
  script: Script,
  request: Partial<AttemptRequest> = {},
  sentences: Sentences = 'logged',
): Promise<AttemptOutcome> {
  const server = await startScriptedServer(script);
  const platform = platformAt(server.url);
  const outcome = await attemptOn(platform, request, sentences);
  await platform.close();
  await server.close();
  return outcome;
}

/** A platform of the kind `openai-compatible`. */
export function openAiCompatibleAt(url: string): Platform {
  return createOpenAiCompatible({
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: `${url}/v1`,
    apiKey: testApiKey,
  });
}
