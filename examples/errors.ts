// An app's reaction to a failed call: it checks the code, never the message. Each model here
// belongs to the simulator and causes another code.
import { createClient, LlmError } from '@model-gateway/sdk';

const baseUrl = process.env.MODEL_GATEWAY_URL ?? 'http://127.0.0.1:8787/v1';
const client = createClient({ baseUrl, apiKey: process.env.MODEL_GATEWAY_KEY ?? '' });

async function chat(model: string, content: string): Promise<string> {
  try {
    const { text } = await client.chat({
      model,
      maxTokens: 50,
      messages: [{ role: 'user', content }],
    });
    return text;
  } catch (error) {
    // Anything else is a mistake in this program, such as a bad option: a TypeError.
    if (!LlmError.is(error)) throw error;
    // For the log: the operator of the gateway finds the request by its id.
    console.error(`${model}: request ${error.gatewayRequestId}, $${error.costUsd ?? 0}`);
    return `${error.code} ${error.status}: ${adviceFor(error)}`;
  }
}

function adviceFor({ code, message, attempts, retryAfterMs }: LlmError): string {
  switch (code) {
    case 'TRUNCATED':
      return 'call again with a larger maxTokens';
    case 'BUDGET_EXCEEDED':
      return `stop for ${Math.ceil((retryAfterMs ?? 0) / 3_600_000)} h, until 00:00 UTC`;
    case 'INSUFFICIENT_CREDITS':
      return "tell the user that this month's credits are used up";
    case 'THROTTLED':
    case 'SERVER':
    case 'TIMEOUT':
    case 'TOO_MANY_REQUESTS':
    case 'NETWORK':
      return `come back later; attempts: ${attempts}`;
    case 'AUTH':
    case 'FORBIDDEN':
    case 'MODEL_NOT_ALLOWED':
      return 'ask the operator of the gateway';
    default:
      // A code that this program does not handle: show people the service's message.
      return message;
  }
}

console.log(`sim-echo: ${await chat('sim-echo', 'Hello')}`);
console.log(`sim-truncated: ${await chat('sim-truncated', 'Hello')}`);
console.log(`sim-throttled: ${await chat('sim-throttled', 'Hello')}`);
console.log(`sim-denied: ${await chat('sim-denied', 'Hello')}`);
console.log(`a text above the budget: ${await chat('sim-reasoning', 'x'.repeat(4_000_000))}`);
