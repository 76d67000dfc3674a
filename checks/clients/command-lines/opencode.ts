/** Opencode's configuration: a provider whose model requires its own reasoning back. */
export function opencodeConfig(baseURL: string, apiKey: string, model: string, small: string) {
  const limit = { context: 200_000, output: 8_000 };
  const thinker = {
    ...{ name: model, reasoning: true, tool_call: true, limit },
    interleaved: { field: 'reasoning_content' },
  };
  return JSON.stringify({
    ...{ autoupdate: false, share: 'disabled', permission: 'allow' },
    ...{ model: `gateway/${model}`, small_model: `gateway/${small}` },
    provider: {
      gateway: {
        ...{ npm: '@ai-sdk/openai-compatible', name: 'gateway', options: { baseURL, apiKey } },
        models: { [model]: thinker, [small]: { name: small, limit } },
      },
    },
  });
}
