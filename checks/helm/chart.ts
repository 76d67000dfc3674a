import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { endOf } from '../../harness/process.ts';
import { rootFolder } from '../image/base.ts';
import type { Manifest } from './manifests.ts';

/** A chart, and Helm's results for it. */
export interface Chart {
  /** Renders it with files of values, the last on top; rejects with Helm's own words. */
  render(...files: readonly string[]): Promise<Rendering>;
  /** Helm's error for rejected values, put on top of a file; empty if it accepts them. */
  refusal(file: string, values: unknown): Promise<string>;
  /** Helm's findings in it. */
  lint(file: string): Promise<string>;
  /** Its notes after an installation. */
  notes(file: string): Promise<string>;
  /** The same for a documented command, `helm upgrade --install …`, in a folder. */
  notesOf(command: string, cwd: string): Promise<string>;
}

export interface Rendering {
  readonly text: string;
  readonly manifests: readonly Manifest[];
}

const documentedPath = 'deploy/helm/model-gateway';
const folderOfChart = join(rootFolder, documentedPath);
const release = 'model-gateway';
// A Helm from `go install` assumes a Kubernetes version of years ago.
const target = ['--kube-version', '1.34.0', '--namespace', 'models'];

/** The chart of this repository; files for Helm go into a folder. */
export async function openChart(helm: string, folder: string): Promise<Chart> {
  await mkdir(folder, { recursive: true });
  const runHelm = (argv: readonly string[]) => endOf(helm, argv);
  const template = (chart: string, files: readonly string[], ...more: readonly string[]) => {
    const values = files.flatMap((file) => ['--values', file]);
    return runHelm(['template', release, chart, ...target, ...values, ...more]);
  };
  /** Helm renders notes only for an installation, which calls a cluster. */
  const chartWithNotes = join(folder, 'with-notes');
  await cp(folderOfChart, chartWithNotes, { recursive: true });
  await writeFile(join(chartWithNotes, 'templates/told.yaml'), notesTemplate);
  const notesBy = async (argv: readonly string[], cwd?: string) => {
    const { code, output } = await endOf(helm, [...argv, ...shown], { cwd });
    if (code !== 0) throw new Error(output);
    const [document] = parseAllDocuments(output);
    return String(document?.get('told'));
  };
  let refused = 0;
  return {
    async render(...files) {
      const { code, output } = await template(folderOfChart, files);
      if (code !== 0) throw new Error(output);
      const documents = parseAllDocuments(output, { version: '1.1' });
      const manifests = documents.map((each): Manifest => each.toJS());
      return { text: output, manifests: manifests.filter((each) => each !== null) };
    },
    async refusal(file, values) {
      refused += 1;
      const more = join(folder, `refused-${refused}.yaml`);
      await writeFile(more, stringify(values));
      const { code, output } = await template(folderOfChart, [file, more]);
      return code === 0 ? '' : output;
    },
    async lint(file) {
      const argv = ['lint', '--strict', '--kube-version', '1.34.0', '--values', file];
      const { code, output } = await runHelm([...argv, folderOfChart]);
      return code === 0 ? '' : output;
    },
    notes: (file) => notesBy(['template', release, chartWithNotes, ...target, '--values', file]),
    notesOf(command, cwd) {
      const words = command.trim().split(/[\s\\]+/);
      const [program, verb, install, ...rest] = words;
      const isExpected = `${program} ${verb} ${install}` === 'helm upgrade --install';
      if (!isExpected || !rest.includes(documentedPath)) throw new Error(`it is not ${command}`);
      const argv = rest.map((word) => (word === documentedPath ? chartWithNotes : word));
      return notesBy(['template', ...argv, '--kube-version', '1.34.0'], cwd);
    },
  };
}

const shown = ['--show-only', 'templates/told.yaml'];
const notesTemplate = 'told: {{ include "model-gateway.notes" . | quote }}\n';
