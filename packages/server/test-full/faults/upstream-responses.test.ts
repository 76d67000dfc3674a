import { openAiResponses } from '../../test/faults/upstream/further-surfaces.ts';
import { describeMatrix, faults } from '../../test/faults/upstream/matrix.ts';

describeMatrix({
  ...{ surface: openAiResponses, operations: ['chat', 'objects', 'agents'], faults },
});
