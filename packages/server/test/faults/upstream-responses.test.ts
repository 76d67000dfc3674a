import { openAiResponses } from './upstream/further-surfaces.ts';
import { describeMatrix, faults } from './upstream/matrix.ts';

describeMatrix({
  ...{ surface: openAiResponses, operations: ['chat', 'objects', 'agents'], faults },
  isInTurn: true,
});
