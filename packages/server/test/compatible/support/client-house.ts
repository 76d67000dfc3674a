import type { SimulatorOptions } from '@model-gateway/simulator';
import { startServer, type TestServer } from '../../support/server.ts';

/** The model of each scenario, on platforms of one wire format. */
export type Models = Readonly<Record<'echo' | 'throttled' | 'told' | 'slow' | 'embed', string>>;

/** The names that clients call models by, by the wire format of their platform. */
export const models = {
  chat: modelsOf('chat'),
  messages: modelsOf('messages'),
  responses: modelsOf('responses'),
};

const upstreamModels = {
  echo: 'sim-echo',
  throttled: 'sim-throttled-hint',
  told: 'sim-told',
  slow: 'sim-slow-stream',
};
const pathFamilies = {
  chat: 'v1-chat',
  messages: 'anthropic-v1-messages',
  responses: 'v1-responses',
};
const facts = {
  platform: 'sandbox',
  // The prices of the simulator.
  ...{ inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.6' },
  ...{ contextTokens: 200_000, images: true },
};

const embeddings = {
  ...{ id: 'embed', platform: 'sandbox', upstreamModel: 'sim-embed', kind: 'embeddings' },
  ...{ inputUsdPerMillion: '0.02', contextTokens: 8_192 },
};

/** The README's example for Anthropic's clients, as `gateway.yaml` has it. */
const shown = {
  ...{ id: 'sim-messages', upstreamModel: 'sim-echo', pathFamily: 'anthropic-v1-messages' },
  ...facts,
};

/** Additions of a check to the service. */
export interface HouseOptions {
  readonly script?: SimulatorOptions['script'];
  readonly ingress?: object;
  readonly platforms?: object;
  readonly models?: readonly object[];
  /** The projects of the app `agents`. */
  readonly projects?: object;
}

/** The whole service on a socket, with the simulator and every API format enabled. */
export function startService(options: HouseOptions = {}): Promise<TestServer> {
  const { script, ingress, platforms, projects, models: more = [] } = options;
  const wires = Object.entries(pathFamilies);
  const rows = wires.flatMap(([wire, pathFamily]) =>
    Object.entries(upstreamModels).map(([scenario, upstreamModel]) => {
      return { id: `${scenario}-${wire}`, upstreamModel, pathFamily, ...facts };
    }),
  );
  const config = {
    company: 'acme',
    streaming: true,
    // Without it Codex, which offers a search by the platform, would be rejected.
    ingress: { openai: true, anthropic: true, serverTools: 'remove', ...ingress },
    // The checks observe retries by the client, not by the gateway.
    retry: { attempts: 1 },
    platforms: { sandbox: { kind: 'simulator' }, ...platforms },
    defaultPlatform: 'sandbox',
    plans: { user: { ratePerSecond: 1_000, burst: 1_000, requestsPerDay: 1_000_000 } },
    models: [...rows, embeddings, shown, ...more],
    apps: [
      { name: 'team', dailyBudgetUsd: '100' },
      { name: 'agents', dailyBudgetUsd: '100', ...(projects && { projects }) },
      { name: 'spent', dailyBudgetUsd: '0.000001' },
    ],
  };
  return startServer({ yaml: JSON.stringify(config), ...(script && { script }) });
}

function modelsOf(wire: string): Models {
  const named = (scenario: string) => `${scenario}-${wire}`;
  return {
    ...{ echo: named('echo'), throttled: named('throttled'), told: named('told') },
    ...{ slow: named('slow'), embed: 'embed' },
  };
}
