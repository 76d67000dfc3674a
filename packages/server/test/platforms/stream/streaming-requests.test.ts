import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { CatalogModel } from '../../../src/catalog/catalog.ts';
import { createMantle } from '../../../src/platforms/kinds/bedrock-mantle.ts';
import { createSimulatorPlatform } from '../../../src/platforms/kinds/simulator.ts';
import type { Platform } from '../../../src/platforms/model/port.ts';
import { messagesSubject } from '../support/anthropic-message.ts';
import { chatSubject } from '../support/chat-completion.ts';
import { createFollower } from '../support/follow-attempt.ts';
import { kinds } from '../support/kinds.ts';
import { responsesSubject } from '../support/openai-response.ts';
import { type RawRequest, startScriptedServer } from '../support/scripted-server.ts';
import { bytesOf, byUnits } from '../support/stream-events.ts';
import type { SurfaceSubject } from '../support/surface-subject.ts';
import { attemptOn, madeOf, modelRow, testApiKey, testContext } from '../support/try-platform.ts';

function mantleAt(url: string): Platform {
  const config = { name: 'bedrock', kind: 'bedrock-mantle', region: 'us-east-1' } as const;
  return madeOf(createMantle({ ...config, baseUrl: url, apiKey: testApiKey }, testContext));
}

function simulatorAt(url: string): Platform {
  const config = { name: 'sim', kind: 'simulator', baseUrl: url } as const;
  return madeOf(createSimulatorPlatform(config, testContext));
}

const families = [
  [chatSubject, 'v1-chat'],
  [chatSubject, 'openai-v1-chat'],
  [responsesSubject, 'v1-responses'],
  [responsesSubject, 'openai-v1-responses'],
  [messagesSubject, 'anthropic-v1-messages'],
] as const;

const ofFamilies = [mantleAt, simulatorAt].flatMap((platformOf) =>
  families.map(([subject, path]) => ({
    ...subject,
    name: `${platformOf.name} ${path}`,
    platformAt(url: string) {
      const platform = platformOf(url);
      return {
        ...platform,
        model: (row: CatalogModel) => platform.model({ ...row, speaks: [path] }),
      };
    },
  })),
);

/** Responds with a stream, an event a chunk. */
function streaming(subject: SurfaceSubject) {
  return (socket: Socket) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: req_1\r\n';
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    for (const event of subject.events(subject.answer({ text: 'Hé 🙂' }), byUnits)) {
      const bytes = bytesOf([event]);
      socket.write(`${bytes.length.toString(16)}\r\n${bytes.toString()}\r\n`);
    }
    socket.write('0\r\n\r\n');
  };
}

const bodyOf = (request: RawRequest | undefined) => JSON.parse(request?.body ?? '{}');

describe.each([chatSubject, responsesSubject, messagesSubject, ...kinds, ...ofFamilies])(
  '$name',
  (subject) => {
    it('streams over a socket, and requests it with the same body', async () => {
      const server = await startScriptedServer(streaming(subject));
      const platform = subject.platformAt(server.url);
      const ids: (string | undefined)[] = [];
      const { stream, deltas } = createFollower();
      const holder = {
        set requestId(id: string | undefined) {
          ids.push(id);
        },
      };
      const outcome = await attemptOn(platform, { stream, requestIdHolder: holder });
      await attemptOn(platform);
      expect(platform.model(modelRow('test-model')).streams).toBe(true);
      expect(outcome).toMatchObject({ kind: 'answered', requestId: 'req_1' });
      const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
      expect(text).toBe('Hé 🙂');
      expect(ids).toEqual(['req_1']);
      const [streamed, whole] = server.requests;
      const { stream: asked, stream_options: options, ...body } = bodyOf(streamed);
      expect([asked, body]).toEqual([true, bodyOf(whole)]);
      const isChat = 'max_tokens' in body || 'max_completion_tokens' in body;
      const counted =
        isChat && body.messages !== undefined && !streamed?.head.includes('/messages');
      expect(options).toEqual(counted ? { include_usage: true } : undefined);
      expect(streamed?.head).toMatch(/accept: text\/event-stream, application\/json\r\n/);
      expect(whole?.head).toMatch(/accept: application\/json\r\n/);
      await platform.close();
      await server.close();
    });
  },
);

it('a row may disable the request for counts', async () => {
  const chats = [
    chatSubject,
    ...[...kinds, ...ofFamilies].filter(({ answer }) => answer === chatSubject.answer),
  ];
  expect(chats).toHaveLength(6);
  for (const subject of chats) {
    const server = await startScriptedServer(streaming(subject));
    const platform = subject.platformAt(server.url);
    const row = { ...modelRow('test-model'), streamUsage: false };
    const model = platform.model(row);
    await attemptOn(platform, { model, stream: createFollower().stream });
    expect(platform.model(row)).toBe(model);
    expect(platform.model(modelRow('test-model'))).not.toBe(model);
    const { stream, stream_options: options } = bodyOf(server.requests[0]);
    expect([stream, options]).toEqual([true, undefined]);
    await platform.close();
    await server.close();
  }
});
