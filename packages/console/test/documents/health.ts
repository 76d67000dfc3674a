import type { Health } from '@model-gateway/server/operations/documents';

/** Two processes, one with an open circuit. */
export const health: Health = {
  ...{ at: '2026-11-22T15:00:00.000Z', version: '1.2.3', instanceId: 'i_1' },
  problems: [
    { kind: 'circuit', text: 'claude-opus fails at anthropic', href: '/console/calls?code=AWAY' },
  ],
  store: {
    ...{ kind: 'postgres', answerMs: 3, clockSkewMs: 12, openHolds: 1_041 },
    rollupsUntil: '2026-11-22T14:00:00.000Z',
  },
  replicas: [
    { id: 'i_1', config: 'c0ffee', seenAt: '2026-11-22T14:59:55.000Z', isThis: true },
    { id: 'i_2', config: 'decade', seenAt: '2026-11-22T14:59:50.000Z', isThis: false },
  ],
  platforms: [
    {
      ...{ name: 'anthropic', state: 'failing', problem: 'answers 529', retries: 1_200 },
      ...{ retriesDenied: 31, circuitsOpened: 2, attemptsRefused: 47 },
    },
    {
      ...{ name: 'openai', state: 'works', problem: null, retries: 5, retriesDenied: 0 },
      ...{ circuitsOpened: 0, attemptsRefused: 0 },
    },
  ],
  circuits: [
    {
      ...{ platform: 'anthropic', model: 'claude-opus', state: 'open' },
      since: '2026-11-22T14:55:00.000Z',
    },
    { platform: 'openai', model: 'gpt-5.4', state: 'closed', since: null },
  ],
  keyless: [
    {
      ...{ at: '2026-11-22T14:00:00.000Z', reason: 'checksum', count: 7 },
      path: 'POST /v1/chat from 10.1.2.0/24',
      lastAt: '2026-11-22T14:41:07.000Z',
    },
  ],
  load: {
    ...{ requests: 7, bodyBytes: 1_000, bodyBytesMax: 9_000, runningCalls: 6, detachedCalls: 2 },
    ...{ streams: 4, queue: 0 },
  },
};

/** A process that just started and has nothing to report. */
export const newHealth: Health = {
  ...{ ...health, problems: [], replicas: [], platforms: [], circuits: [] },
  keyless: [],
  store: { kind: 'sqlite', answerMs: 0, clockSkewMs: 0, openHolds: 0, rollupsUntil: null },
};
