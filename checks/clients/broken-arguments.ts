import type { SimulatorOptions } from '@model-gateway/simulator';

/** The user's text; `npm/tell.js` and `python/tell.py` have the same words. */
const order = 'Break the arguments';

/**
 * A model that writes arguments that are not JSON, and continues after the report of that error.
 */
export const breakArguments: NonNullable<SimulatorOptions['script']> = ({ request }) => {
  const { messages, tools } = request;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const isOrdered = messages[last]?.texts.join('') === order;
  const [tool] = tools;
  if (!isOrdered || tool === undefined || last < messages.length - 1) return undefined;
  return { kind: 'answer', toolCalls: [{ name: tool.name, arguments: '{"city": "Ulm' }] };
};
