import process from 'node:process';
import { query } from '@anthropic-ai/claude-agent-sdk';

/** Sends prompts to one session, one after the other, and prints each result. */
const [, , model, ...prompts] = process.argv;
for (const [index, prompt] of prompts.entries()) {
  const options = {
    ...{ model, continue: index > 0, maxTurns: 5 },
    ...{ allowedTools: ['Read'], permissionMode: 'dontAsk', settingSources: [] },
  };
  for await (const message of query({ prompt, options })) {
    if (message.type !== 'result') continue;
    if (message.is_error) throw new Error(JSON.stringify(message));
    console.log(message.result);
  }
}
