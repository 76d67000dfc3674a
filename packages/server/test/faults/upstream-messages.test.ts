import { anthropicMessages } from './upstream/further-surfaces.ts';
import { describeMatrix, faults } from './upstream/matrix.ts';

describeMatrix({
  ...{ surface: anthropicMessages, operations: ['chat', 'objects', 'agents'], faults },
  isInTurn: true,
});
