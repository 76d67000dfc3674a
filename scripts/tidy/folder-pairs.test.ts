import { expect, test } from 'vitest';
import { findFolderPairs } from './folder-pairs.ts';
import { createProject } from './project.ts';

const ingress = 'packages/server/src/ingress';

function findingsOf(files: Readonly<Record<string, string>>) {
  return findFolderPairs(
    createProject(Object.entries(files).map(([path, text]) => ({ path, text }))),
  );
}

/** Two folders below `folder`, of which `a` imports `b`, and `b` imports `a` by this statement. */
function pair(folder: string, statement: string) {
  return {
    [`${folder}/a/one.ts`]: "import { two } from '../b/two.ts';\n",
    [`${folder}/b/other.ts`]: `void 0;\n${statement}\n`,
  };
}

test.each([
  "import { three } from '../a/three.ts';",
  "import type { Three } from '../a/three.ts';",
  "import '../a/three.ts';",
  "export { three } from '../a/three.ts';",
  "export * from '../a/three.ts';",
  "void import('../a/three.ts');",
  "export type Three = import('../a/three.ts').Three;",
])('%s makes a pair with the folder that imports this one', (statement) => {
  for (const folder of [ingress, 'packages/sdk/src', 'packages/console/src/pages']) {
    expect(findingsOf(pair(folder, statement))).toEqual([
      {
        path: `${folder}/a/one.ts`,
        line: 1,
        rule: 'folder-pairs',
        cure:
          `${folder}/a and ${folder}/b import each other (${folder}/a/one.ts imports ` +
          `${folder}/b/two.ts, and ${folder}/b/other.ts imports ${folder}/a/three.ts): ` +
          'move what both need to a folder that imports neither, or pass it in',
      },
    ]);
  }
});

test("the root of a room is a folder, and so is a folder's folder", () => {
  const root = {
    [`${ingress}/a.ts`]: "import './b/b.ts';\n",
    [`${ingress}/b/c.ts`]: "import '../d.ts';\n",
  };
  const inner = {
    [`${ingress}/b/a.ts`]: "import './c/c.ts';\n",
    [`${ingress}/b/c/d.ts`]: "import '../e.ts';\n",
  };
  expect(findingsOf(root)).toHaveLength(1);
  expect(findingsOf(inner)).toHaveLength(1);
});

test.each([
  ['one way', { [`${ingress}/a/one.ts`]: "import '../b/two.ts';\n" }],
  ['within a folder', { [`${ingress}/a/one.ts`]: "import './two.ts';\n" }],
  ['a test', pair('packages/server/test/ingress', "import '../a/three.ts';")],
  [
    'rooms, which biome.rooms.jsonc orders',
    {
      [`${ingress}/one.ts`]: "import '../calls/two.ts';\n",
      'packages/server/src/calls/three.ts': "import '../ingress/four.ts';\n",
    },
  ],
])('%s is not a pair', (_, files) => {
  expect(findingsOf(files)).toEqual([]);
});
