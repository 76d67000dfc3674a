import type { PathFamily } from '../../../src/domain/path-family.ts';
import { createAiSdk } from '../../../src/platforms/kinds/ai-sdk.ts';
import { createAnthropic } from '../../../src/platforms/kinds/anthropic.ts';
import { createOpenAi } from '../../../src/platforms/kinds/openai.ts';
import type { Platform } from '../../../src/platforms/model/port.ts';
import { messagesSubject } from './anthropic-message.ts';
import { chatSubject } from './chat-completion.ts';
import { responsesSubject } from './openai-response.ts';
import type { SurfaceSubject } from './surface-subject.ts';
import { madeOf, testApiKey, testContext } from './try-platform.ts';

/** Kinds of platform with their own transport or headers, each on each of its surfaces. */
export const kinds: readonly SurfaceSubject[] = [
  { ...chatSubject, name: 'the kind openai', platformAt: openAiAt('v1-chat') },
  {
    ...responsesSubject,
    name: 'the kind openai on responses',
    platformAt: openAiAt('v1-responses'),
  },
  { ...messagesSubject, name: 'the kind anthropic', platformAt: anthropicAt },
];

/** An external package, which reads its responses itself. */
export const aiSdkSubject: SurfaceSubject = {
  ...chatSubject,
  name: 'the kind ai-sdk',
  platformAt: aiSdkAt,
};

function aiSdkAt(url: string): Platform {
  const config = { name: 'other', kind: 'ai-sdk', package: '@ai-sdk/mistral' } as const;
  const options = { apiKey: testApiKey, baseURL: `${url}/v1` };
  return madeOf(createAiSdk({ ...config, options }, testContext));
}

function openAiAt(path: PathFamily): (url: string) => Platform {
  return (url) => {
    const config = { name: 'openai', kind: 'openai', baseUrl: `${url}/v1` } as const;
    const platform = createOpenAi({ ...config, apiKey: testApiKey }, testContext);
    return { ...platform, model: (row) => platform.model({ ...row, speaks: [path] }) };
  };
}

function anthropicAt(url: string): Platform {
  const config = { name: 'claude', kind: 'anthropic', baseUrl: url } as const;
  return createAnthropic({ ...config, apiKey: testApiKey }, testContext);
}
