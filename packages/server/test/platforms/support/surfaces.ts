import { messagesSubject } from './anthropic-message.ts';
import { chatSubject } from './chat-completion.ts';
import { responsesSubject } from './openai-response.ts';
import type { SurfaceSubject } from './surface-subject.ts';

export const surfaces: readonly SurfaceSubject[] = [chatSubject, responsesSubject, messagesSubject];
