import { changed, changing } from '../change-shapes.ts';
import type { Document } from '../shapes.ts';
import { RunDocument } from './documents.ts';

/** `POST /runs/:id/end`. */
export const RunEnding = changing({});
export type RunEnding = Document<typeof RunEnding>;

/** The run as it is now. */
export const RunEnded = changed(RunDocument);
export type RunEnded = Document<typeof RunEnded>;
