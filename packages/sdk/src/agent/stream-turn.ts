import type { AgentAnswer } from '@model-gateway/contract';
import { beginStreamRound, type Call, type CallParts } from '../call.ts';
import { createStreamCall } from '../stream/stream-call.ts';
import { targets } from '../targets.ts';

/**
 * Makes one turn as a stream, and tells each piece of its text. Where the connection breaks the
 * answer is collected, and what was missing of its text is told in one piece.
 */
export async function streamTurn(
  parts: CallParts,
  call: Call,
  tell: (text: string) => Promise<unknown>,
): Promise<AgentAnswer> {
  const target = { ...call, path: targets.agentStream.path };
  const stream = createStreamCall<AgentAnswer>(() => ({ round: beginStreamRound(parts, target) }));
  let told = '';
  const tellMore = async (text: string) => {
    told += text;
    if (text !== '') await tell(text);
  };
  try {
    for (;;) {
      const event = await stream.next();
      if (event.type === 'finish') return event.answer;
      if (event.type === 'text') await tellMore(event.text);
    }
  } catch (error) {
    if (!stream.isBroken()) {
      stream.leave(new Error('the turn has ended'));
      throw error;
    }
    const answer = await stream.collect();
    const { text = '' } = answer;
    if (text.startsWith(told)) await tellMore(text.slice(told.length));
    return answer;
  }
}
