import type { Message } from '@model-gateway/contract';
import { type CarryParts, uncarriedTo } from '../../../../calls/model-operations/carry.ts';
import type { ParsedCall } from '../../../exchange/dialect.ts';
import { droppedHeaders } from '../../compatible/dropped-fields.ts';

/** The header of what a model is not sent of the carries of a conversation. */
export type HeadersOfCarry = (request: {
  readonly model: string;
  readonly messages: readonly Message[];
}) => NonNullable<ParsedCall['headersOf']>;

/** Names the carries that are left out for the model that answers. */
export function createHeadersOfCarry(parts: CarryParts): HeadersOfCarry {
  return ({ model, messages }) =>
    (servedBy = model) => {
      const paths = uncarriedTo(servedBy, messages, parts).map(ofCarry);
      return droppedHeaders([...new Set(paths)]);
    };
}

/** Its fields are no concern of its caller. */
function ofCarry(path: string): string {
  return path.replace(/\..*/s, '.carry');
}
