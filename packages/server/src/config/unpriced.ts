import { type UnpricedPolicy, unpricedWordList, unpricedWords } from '../domain/unpriced-policy.ts';
import { type Reader, reader } from './reader.ts';
import { oneOf } from './scalars.ts';

const word = oneOf(unpricedWordList);

/** Both words for one meaning give the same configuration and the same hash. */
export const unpricedPolicy: Reader<UnpricedPolicy> = reader(word.schema, (field) => {
  const read = word(field);
  return read === undefined ? undefined : unpricedWords[read];
});
