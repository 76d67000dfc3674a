import { ofType } from '../shapes.ts';
import type { PlatformDocument } from './check-platforms.ts';

/** What `platforms check` prints. */
export const PlatformDocuments = ofType<readonly PlatformDocument[]>();
