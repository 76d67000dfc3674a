import type { ErrorReason } from '@model-gateway/contract';
import type { AttemptOutcome } from '../../platforms/model/port.ts';
import { maxTokensIn, type NamedCall } from './api-names.ts';
import { rejectedField } from './rejected-field.ts';

export interface PlatformRejection {
  readonly reason: ErrorReason;
  readonly message: string;
  readonly param: string | undefined;
}

export const unknownCause = 'remove any parameter, message or schema that it does not support';

export function platformRejectionOf(
  { rejection }: Extract<AttemptOutcome, { kind: 'failed' }>,
  call: NamedCall,
): PlatformRejection | undefined {
  if (rejection === undefined) return undefined;
  const { reason, fields, isFieldReported } = rejection;
  const field = rejectedField(fields, call);
  const isAdded = field === undefined && isFieldReported && !ofConversation.has(reason);
  const message = isAdded ? sentenceOfAdded(call) : sentenceOf(reason, field, call);
  // Of the caller's fields, only `model` changes what the gateway adds.
  return { reason, param: isAdded ? 'model' : field, message };
}

/** The whole conversation causes these, whichever field the platform names. */
const ofConversation: ReadonlySet<ErrorReason> = new Set(['context_length', 'reasoning']);

function sentenceOfAdded({ request: { model } }: NamedCall): string {
  return `The model ${model} rejected the request for a field that the gateway adds to it; use another model, or ask the operator.`;
}

function sentenceOf(reason: ErrorReason, field: string | undefined, call: NamedCall): string {
  const rejected = `The model ${call.request.model} rejected the request`;
  const its = field === undefined ? '' : ` in ${field}`;
  switch (reason) {
    case 'context_length':
      // Claude Code compacts a conversation when it reads these words.
      return `${rejected}: prompt is too long. ${shorterOf(call)}.`;
    case 'parameter':
      return field === undefined
        ? `${rejected}; ${unknownCause}.`
        : `${rejected}: it does not support ${field} as sent; change or remove it.`;
    case 'schema':
      return `${rejected}: it does not support the JSON Schema${its}; use simpler keywords, or another model.`;
    case 'image':
      return `${rejected}: it cannot use an image${its}; send a smaller PNG or JPEG, or use another model.`;
    case 'tool':
      return `${rejected}: its tools or tool results are not valid${its}; send one result for each tool call, directly after it, or use another model.`;
    case 'reasoning':
      return `${rejected}: it requires its own reasoning of earlier turns. Return each assistant message unchanged, with all fields, or start a new conversation.`;
    case 'content_policy':
      return `${rejected}: its content policy forbids the content${its}; change it.`;
  }
}

function shorterOf(call: NamedCall): string {
  const maxTokens = maxTokensIn(call);
  if (maxTokens === undefined) return 'Send shorter texts';
  return `Shorten the conversation, lower ${maxTokens}, or use a model with a longer context`;
}
