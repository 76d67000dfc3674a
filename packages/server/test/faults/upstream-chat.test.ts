import { describeMatrix, faults } from './upstream/matrix.ts';
import { openAiChat } from './upstream/surfaces.ts';

describeMatrix({ surface: openAiChat, operations: ['chat'], faults });
