import { bodyLimits } from '@model-gateway/contract';
import { shortText } from './scalars.ts';

export const modelId = shortText(bodyLimits.modelCharactersMax);
