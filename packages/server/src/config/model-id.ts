import { bodyLimits } from '@model-gateway/contract';
import { shortText } from './scalars.ts';

/** A model's id, in a row or in an allow-list. */
export const modelId = shortText(bodyLimits.modelCharactersMax);
