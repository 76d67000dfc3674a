const sdk = require('@model-gateway/sdk');
const testing = require('@model-gateway/sdk/testing');
const { runScenario } = require('./scenario.cjs');

async function main() {
  const faced = await import('@model-gateway/sdk');
  const isOneClass = faced.LlmError === sdk.LlmError && faced.ToolError === sdk.ToolError;
  const seen = await runScenario(sdk, testing);
  process.stdout.write(JSON.stringify({ names: Object.keys(sdk).sort(), isOneClass, ...seen }));
}

main();
