import type { Message } from '@model-gateway/contract';
import { type CarryParts, uncarriedTo } from '../../../../calls/model-operations/carry.ts';
import type { ParsedCall } from '../../../exchange/dialect.ts';
import { droppedHeaders } from '../../compatible/dropped-fields.ts';

export type HeadersOfCarry = (request: {
  readonly model: string;
  readonly messages: readonly Message[];
}) => NonNullable<ParsedCall['headersOf']>;

export function createHeadersOfCarry(parts: CarryParts): HeadersOfCarry {
  return ({ model, messages }) =>
    (servedBy = model) => {
      const paths = uncarriedTo(servedBy, messages, parts).map(ofCarry);
      return droppedHeaders([...new Set(paths)]);
    };
}

function ofCarry(path: string): string {
  return path.replace(/\..*/s, '.carry');
}
